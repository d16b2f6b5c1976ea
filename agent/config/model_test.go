package config

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"hermes/agent/locale"
)

func TestModel(t *testing.T) {
	for name, tc := range map[string]struct {
		config string
		env    string // NAME=value, separated by blanks
		flags  ModelFlags
		want   string // "demo", "provider model url key [source] [max n]" or "! error"
	}{
		"nothing":            {want: "demo"},
		"demo asked for":     {env: "DEEPSEEK_API_KEY=dk", flags: ModelFlags{Provider: "demo"}, want: "demo"},
		"key in environment": {env: "DEEPSEEK_API_KEY=dk", want: "deepseek deepseek-chat https://api.deepseek.com/v1 dk [env:DEEPSEEK_API_KEY]"},
		"key of an example":  {env: "DEEPSEEK_API_KEY=your_api_key_here", want: "demo"},
		"base URL variable":  {env: "DEEPSEEK_API_KEY=dk DEEPSEEK_BASE_URL=http://proxy/v1/", want: "deepseek deepseek-chat http://proxy/v1 dk [env:DEEPSEEK_API_KEY]"},
		"two keys":           {env: "DEEPSEEK_API_KEY=dk OPENROUTER_API_KEY=ok", want: "openrouter openrouter/auto https://openrouter.ai/api/v1 ok [env:OPENROUTER_API_KEY]"},
		"OpenAI key":         {env: "OPENAI_API_KEY=sk", want: "openai-api gpt-4.1-mini https://api.openai.com/v1 sk [env:OPENAI_API_KEY] codex_responses"},
		"provider wins over keys": {
			config: "model: {provider: deepseek, default: deepseek-reasoner}", env: "DEEPSEEK_API_KEY=dk OPENROUTER_API_KEY=ok",
			want: "deepseek deepseek-reasoner https://api.deepseek.com/v1 dk [env:DEEPSEEK_API_KEY]",
		},
		"model is text": {config: "model: deepseek-reasoner", env: "DEEPSEEK_API_KEY=dk", want: "deepseek deepseek-reasoner https://api.deepseek.com/v1 dk [env:DEEPSEEK_API_KEY]"},
		"custom": {
			config: "model: {provider: custom, base_url: 'http://127.0.0.1:9/v1', default: mock, api_key: sk-x}",
			want:   "custom mock http://127.0.0.1:9/v1 sk-x [config.yaml: model.api_key] max 65536",
		},
		"base_url alone":    {config: "model: {base_url: 'http://127.0.0.1:9/v1', default: m}", want: "custom m http://127.0.0.1:9/v1 no-key-required [none] max 65536"},
		"max_tokens":        {config: "model: {base_url: 'http://h/v1', default: m, max_tokens: 1234}", want: "custom m http://h/v1 no-key-required [none] max 1234"},
		"key from variable": {config: "model: {base_url: 'http://h/v1', default: m, api_key: '${MY_KEY}'}", env: "MY_KEY=s3", want: "custom m http://h/v1 s3 [config.yaml: model.api_key] max 65536"},
		"key_env":           {config: "model: {provider: custom, base_url: 'http://h/v1', default: m, key_env: MY_KEY}", env: "MY_KEY=s3", want: "custom m http://h/v1 s3 [env:MY_KEY] max 65536"},
		"vendor key by host": {
			config: "model: {provider: custom, base_url: 'https://api.together.xyz/v1', default: m}", env: "TOGETHER_API_KEY=tk OPENAI_API_KEY=sk",
			want: "custom m https://api.together.xyz/v1 tk [env:TOGETHER_API_KEY] max 65536",
		},
		"no foreign key": {config: "model: {provider: custom, base_url: 'https://evil.example/v1', default: m}", env: "OPENAI_API_KEY=sk", want: "custom m https://evil.example/v1 no-key-required [none] max 65536"},
		"ollama":         {config: "model: {provider: ollama, default: qwen3}", want: "ollama qwen3 http://127.0.0.1:11434/v1 no-key-required [none] max 65536"},
		"lmstudio":       {config: "model: {provider: lmstudio, default: q}", want: "lmstudio q http://127.0.0.1:1234/v1 no-key-required [none]"},
		"alias":          {config: "model: {provider: GLM, default: glm-5}", env: "ZAI_API_KEY=zk", want: "zai glm-5 https://api.z.ai/api/paas/v4 zk [env:ZAI_API_KEY]"},
		"own provider": {
			config: "model: {provider: lab, default: m1}\nproviders:\n  lab: {base_url: 'https://lab/v1/chat/completions', key_env: LAB_KEY}", env: "LAB_KEY=lk",
			want: "lab m1 https://lab/v1 lk [env:LAB_KEY] max 65536",
		},
		"own provider, its model": {config: "model: {provider: 'custom:lab'}\nproviders:\n  lab: {url: 'https://lab/v1', api_key: k, models: {m9: {}}, default_model: m9}", want: "custom:lab m9 https://lab/v1 k [config.yaml: providers.custom:lab.api_key] max 65536"},
		"custom_providers":        {config: "model: {provider: 'my lab', default: m}\ncustom_providers:\n- {name: My Lab, base_url: 'https://lab/v1', api_key: k}", want: "my lab m https://lab/v1 k [config.yaml: providers.my lab.api_key] max 65536"},
		"known provider refined":  {config: "model: {provider: deepseek}\nproviders: {deepseek: {base_url: 'https://mirror/v1'}}", env: "DEEPSEEK_API_KEY=dk", want: "deepseek deepseek-chat https://mirror/v1 dk [env:DEEPSEEK_API_KEY]"},
		"flags win": {
			config: "model: {provider: custom, base_url: 'http://h/v1', default: m, api_key: secret}", env: "DEEPSEEK_API_KEY=dk", flags: ModelFlags{Provider: "deepseek"},
			want: "deepseek deepseek-chat https://api.deepseek.com/v1 dk [env:DEEPSEEK_API_KEY]",
		},
		"model flag":              {config: "model: {base_url: 'http://h/v1', default: m}", flags: ModelFlags{Model: "other"}, want: "custom other http://h/v1 no-key-required [none] max 65536"},
		"model alias":             {config: "model: {default: fast}\nmodel_aliases: {fast: {model: qwen3, provider: ollama}}", want: "ollama qwen3 http://127.0.0.1:11434/v1 no-key-required [none] max 65536"},
		"short name":              {env: "ANTHROPIC_API_KEY=ak", flags: ModelFlags{Model: "opus"}, want: "anthropic claude-opus-4-8 https://api.anthropic.com ak [env:ANTHROPIC_API_KEY] anthropic_messages"},
		"short name, routed":      {env: "OPENROUTER_API_KEY=ok", flags: ModelFlags{Model: "Sonnet"}, want: "openrouter anthropic/claude-sonnet-4.6 https://openrouter.ai/api/v1 ok [env:OPENROUTER_API_KEY]"},
		"no short name elsewhere": {config: "model: {provider: ollama, default: deepseek}", want: "ollama deepseek http://127.0.0.1:11434/v1 no-key-required [none] max 65536"},
		"inference vars":          {env: "HERMES_INFERENCE_PROVIDER=ollama HERMES_INFERENCE_MODEL=m", want: "ollama m http://127.0.0.1:11434/v1 no-key-required [none] max 65536"},
		"unknown provider":        {config: "model:\n  provider: acme\n", want: `! config.yaml:2: unknown provider "acme"`},
		"custom, no URL":          {config: "model: {provider: custom}", want: "! config.yaml:1: provider custom needs model.base_url"},
		"not a URL":               {config: "model:\n  base_url: localhost:8000\n  default: m", want: `! config.yaml:2: "localhost:8000" is not an http`},
		"no key":                  {config: "model:\n  provider: deepseek", want: "! config.yaml:2: No usable credentials found for provider 'deepseek'. Set DEEPSEEK_API_KEY in"},
		"no model":                {env: "GROQ_API_KEY=gk", want: "! no model is chosen for provider groq"},
		"Anthropic":               {env: "ANTHROPIC_API_KEY=ak", want: "anthropic claude-sonnet-4-6 https://api.anthropic.com ak [env:ANTHROPIC_API_KEY] anthropic_messages"},
		"Anthropic by URL":        {config: "model: {base_url: 'https://h/anthropic/v1', default: m}", want: "custom m https://h/anthropic/v1 no-key-required [none] anthropic_messages"},
		"whole endpoint":          {config: "model: {base_url: 'https://h/anthropic/v1/messages', default: m}", want: "custom m https://h/anthropic/v1 no-key-required [none] anthropic_messages"},
		"mode as stated":          {config: "model: {base_url: 'http://h/v1', default: m, api_mode: codex_responses}", want: "custom m http://h/v1 no-key-required [none] codex_responses"},
		"mode not spoken":         {config: "model: {base_url: 'http://h/v1', default: m, api_mode: bedrock_converse}", want: "! provider custom speaks bedrock_converse"},
		"xAI":                     {env: "XAI_API_KEY=xk", want: "xai grok-4 https://api.x.ai/v1 xk [env:XAI_API_KEY] codex_responses"},
		"Claude by OpenCode": {
			config: "model: {provider: zen, default: claude-sonnet-4-6}", env: "OPENCODE_ZEN_API_KEY=zk",
			want: "opencode-zen claude-sonnet-4-6 https://opencode.ai/zen/v1 zk [env:OPENCODE_ZEN_API_KEY] anthropic_messages",
		},
		"MiniMax by its chat URL": {env: "MINIMAX_API_KEY=mk MINIMAX_BASE_URL=https://api.minimax.io/v1", want: "minimax MiniMax-M3 https://api.minimax.io/v1 mk [env:MINIMAX_API_KEY]"},
		"Gemini's own URL":        {env: "GEMINI_API_KEY=gk GEMINI_BASE_URL=https://generativelanguage.googleapis.com/v1beta", want: "gemini gemini-3.5-flash https://generativelanguage.googleapis.com/v1beta/openai gk [env:GEMINI_API_KEY]"},
		"login":                   {config: "model: {provider: copilot}", want: "! config.yaml:1: provider copilot needs a login"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := Load(scratch(t, tc.config), strings.Fields(tc.env))
			if err != nil {
				t.Fatal(err)
			}
			m, ok, err := ResolveModel(c, nil, tc.flags)
			got := "demo"
			switch {
			case err != nil:
				got = "! " + err.Error()
				zh := err.(*ModelError).In(locale.ZH)
				if !strings.ContainsFunc(zh, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
					t.Errorf("not Chinese: %s", zh)
				}
			case ok:
				got = fmt.Sprintf("%s %s %s %s [%s]", m.Provider, m.Model, m.BaseURL, m.APIKey, m.Source)
				if m.APIMode != ModeChat {
					got += " " + m.APIMode
				}
				if m.MaxTokens != 0 {
					got += fmt.Sprintf(" max %d", m.MaxTokens)
				}
			}
			if got != tc.want && (tc.want[0] != '!' || !strings.HasPrefix(got, tc.want)) {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			if ok && m.APIKey != noKey && strings.Contains(fmt.Sprintf("%v %+v %#v", m, m, m), m.APIKey+" ") {
				t.Errorf("the key shows: %v", m)
			}
		})
	}
}

func TestModelExtras(t *testing.T) {
	c, err := Load(scratch(t, `
model: {provider: lab, default: m1, tool_calls: schema, ollama_num_ctx: 8192, supports_vision: false}
agent: {reasoning_effort: high, reasoning_overrides: {m2: off}}
prompt_caching: {cache_ttl: 1h}
providers:
  lab:
    base_url: https://lab/v1
    extra_body: {foo: bar, n: 1, deep: {on: yes}}
    extra_headers: {X-Test: 1}
    request_timeout_seconds: 2.5
    stale_timeout_seconds: 7
    ssl_ca_cert: /etc/lab.pem
    ssl_verify: false
    discover_models: false
    models: {m1: {context_length: 4096}, m2: {}}
`), []string{"HERMES_STREAM_READ_TIMEOUT=9", "HERMES_STREAM_STALE_TIMEOUT=11"})
	if err != nil {
		t.Fatal(err)
	}
	m, ok, err := ResolveModel(c, nil, ModelFlags{})
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	got := fmt.Sprint(m.ExtraBody, m.Headers, m.RequestTimeout, m.ReadTimeout, m.StaleTimeout, m.ContextLength, " ", m.ToolCalls, m.OllamaNumCtx, m.NoImages,
		m.ReasoningEffort, m.CacheTTL, m.CACert, m.Insecure, m.NoDiscovery, m.Models)
	if got != `map[deep:map[true:true] foo:bar n:1] map[X-Test:1] 2.5s 9s 7s 4096 schema8192 truehigh1h/etc/lab.pemtrue true [m1 m2]` {
		t.Error(got)
	}
	m, _, err = ResolveModel(c, nil, ModelFlags{Model: "m2"})
	if err != nil || m.ReasoningEffort != "none" {
		t.Errorf("%v %v", m.ReasoningEffort, err)
	}
}

func TestFallbacksAndTasks(t *testing.T) {
	c, err := Load(scratch(t, `
model: {provider: custom, base_url: 'http://h/v1', default: m, api_key: main}
fallback_providers:
- {provider: deepseek, model: deepseek-chat}
- {provider: custom, base_url: 'http://other/v1', model: o, key_env: OTHER_KEY}
- {provider: nobody, model: x}
- {model: smaller}
auxiliary:
  compression: {model: cheap}
  approval: {provider: auto}
  vision: {provider: openrouter, model: v, api_key: vk, timeout: 30}
`), []string{"DEEPSEEK_API_KEY=dk", "OTHER_KEY=ok", "OPENROUTER_API_KEY=rk"})
	if err != nil {
		t.Fatal(err)
	}
	ms, errs := Fallbacks(c, nil)
	var got []string
	for _, m := range ms {
		got = append(got, fmt.Sprint(m.Provider, " ", m.Model, " ", m.BaseURL, " ", m.APIKey))
	}
	want := "deepseek deepseek-chat https://api.deepseek.com/v1 dk; custom o http://other/v1 ok; custom smaller http://h/v1 main"
	if strings.Join(got, "; ") != want || len(errs) != 1 || !strings.Contains(errs[0].Error(), "nobody") {
		t.Errorf("%v, %v", got, errs)
	}
	m, ok, err := ModelAt(c, nil, "auxiliary.compression")
	if !ok || err != nil || m.Model != "cheap" || m.BaseURL != "http://h/v1" || m.APIKey != "main" {
		t.Errorf("%v %v %v", m, ok, err)
	}
	for _, task := range []string{"approval", "title_generation"} {
		if m, ok, err := ModelAt(c, nil, "auxiliary", task); ok || err != nil {
			t.Errorf("%s: %v %v", task, m, err)
		}
	}
	m, ok, err = ModelAt(c, nil, "auxiliary.vision")
	if !ok || err != nil || m.Provider != "openrouter" || m.APIKey != "vk" || m.RequestTimeout.Seconds() != 30 {
		t.Errorf("%v %v %v", m, ok, err)
	}
}

// The profiles of contract/specialised §1.7, by name and URL; gemini is
// reached by its chat completions, custom's aliases have URLs of their own.
func TestBundledProfiles(t *testing.T) {
	want := strings.Fields(`alibaba alibaba-coding-plan anthropic arcee azure-foundry bedrock copilot copilot-acp custom deepinfra deepseek
		fireworks gemini gmi huggingface kilocode kimi-coding kimi-coding-cn minimax minimax-cn minimax-oauth nous novita nvidia ollama-cloud
		openai-codex opencode-zen opencode-go openrouter qwen-oauth stepfun upstage vertex xai xiaomi zai`)
	if len(want) != 36 {
		t.Fatalf("%d names", len(want))
	}
	for _, id := range want {
		p, ok := findProvider(id)
		if !ok || p.id != id || p.name == "" {
			t.Errorf("%s: %+v", id, p)
		}
	}
	for alias, id := range map[string]string{
		"claude": "anthropic", "Qwen": "qwen-oauth", "zen": "opencode-zen", "hf": "huggingface", "mimo": "xiaomi", "GLM": "zai", "google": "gemini", "llama.cpp": "llamacpp", "kilo": "kilocode", "codex": "openai-codex",
	} {
		if p, ok := findProvider(alias); !ok || p.id != id {
			t.Errorf("%s is %s", alias, p.id)
		}
	}
}

func TestProvidersForLists(t *testing.T) {
	c, err := Load(scratch(t, "providers: {lab: {base_url: 'https://lab/v1', models: [a, b], key_env: LAB_KEY}, deepseek: {model: x}}"), []string{"DEEPSEEK_API_KEY=dk"})
	if err != nil {
		t.Fatal(err)
	}
	ready := map[string]bool{}
	ps := c.Providers()
	for _, p := range ps {
		ready[p.ID] = p.Ready
	}
	if ps[0].ID != "lab" || !ps[0].Own || fmt.Sprint(ps[0].Models, ps[0].Keys) != "[a b] [LAB_KEY]" {
		t.Errorf("%+v", ps[0])
	}
	if !ready["deepseek"] || ready["groq"] || !ready["ollama"] || ready["copilot"] {
		t.Errorf("%v", ready)
	}
}

func TestProviderTable(t *testing.T) {
	seen := map[string]string{}
	for _, p := range providers() {
		for _, name := range append(strings.Fields(p.aliases), p.id) {
			if name != strings.ToLower(name) {
				t.Errorf("%s: %q is not in lower case", p.id, name)
			}
			if other, ok := seen[name]; ok {
				t.Errorf("%q names %s and %s", name, other, p.id)
			}
			seen[name] = p.id
		}
		if p.baseURL != "" && (!strings.HasPrefix(p.baseURL, "http") || strings.HasSuffix(p.baseURL, "/")) {
			t.Errorf("%s: %s", p.id, p.baseURL)
		}
		if !p.manual && len(p.keys) == 0 {
			t.Errorf("%s can never be chosen", p.id)
		}
	}
}
