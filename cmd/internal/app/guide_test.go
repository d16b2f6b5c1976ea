package app_test

import (
	"regexp"
	"strings"
	"testing"
)

// prompt is a line of the guide with what must come of it.
type prompt struct {
	text   string
	tool   string
	args   string // as the card shows them
	result string // of the tool, as it stands in the answer
}

var guidePrompts = map[string][]prompt{
	"en": {
		{"What's 2 to the power of 16?", "calculate", `{"expression":"2**16"}`, "65536"},
		{"Convert 100 fahrenheit to celsius", "unit_convert", `{"value":100,"from_unit":"F","to_unit":"C"}`, "37.7778"},
		{"What's the square root of 2 times pi?", "calculate", `{"expression":"sqrt(2*pi)"}`, "2.5066282746310002"},
		{"How many gigabytes is 1.5 terabytes?", "unit_convert", `{"value":1.5,"from_unit":"TB","to_unit":"GB"}`, "1536.0"},
	},
	"zh": {
		{"2 的 16 次方是多少？", "calculate", `{"expression":"2**16"}`, "65536"},
		{"将 100 华氏度转换为摄氏度", "unit_convert", `{"value":100,"from_unit":"F","to_unit":"C"}`, "37.7778"},
		{"2 乘以 π 的平方根是多少？", "calculate", `{"expression":"sqrt(2*pi)"}`, "2.5066282746310002"},
		{"1.5 TB 是多少 GB？", "unit_convert", `{"value":1.5,"from_unit":"TB","to_unit":"GB"}`, "1536.0"},
	},
}

// The guide's walk through its calculator: the banner, four prompts, /plugins.
func TestGuideCalculator(t *testing.T) {
	for lang, prompts := range guidePrompts {
		for _, size := range sizes {
			t.Run(lang+"/"+sizeName(size.w, size.h), func(t *testing.T) {
				t.Parallel()
				opts := []option{withFolder("calculator", guidePlugin(t, "calculator-"+lang))}
				if lang == "zh" {
					opts = append(opts, withEnv("LANG", "zh_CN.UTF-8"))
				}
				r := startApp(t, size.w, size.h, opts...)
				if size.w > 40 {
					r.WaitText("calculator: calculate, unit_convert")
				}
				for _, p := range prompts {
					r.ask(lang, p)
				}
				r.send("/plugins")
				r.waitIdle("Enable/disable:")
				s := r.seek("Plugins (1):")
				rows := pane(s)
				_, y, _ := rowOf(s, "Plugins (1):")
				if rows[y-1] != " ❯ /plugins" || rows[y] != "Plugins (1):" {
					t.Errorf("the first line of /plugins is %q, below %q", rows[y], rows[y-1])
				}
				if want := "  ✓ calculator v1.0.0 (2 tools, 1 hooks)"; rows[y+1] != want {
					t.Errorf("the second line of /plugins is %q, want %q", rows[y+1], want)
				}
			})
		}
	}
}

// ask sends a prompt of the guide and looks at the card and the answer.
func (r *rig) ask(lang string, p prompt) {
	r.t.Helper()
	answered := p.tool + " answered " + p.result
	if lang == "zh" {
		answered = p.tool + " 返回了 " + p.result
	}
	r.send(p.text)
	r.waitIdle(p.result)
	r.seek(answered)
	s := r.seek("✓ " + p.tool)
	title, y, _ := rowOf(s, "✓ "+p.tool)
	for i, row := range pane(s)[y:] { // the last one on the screen is this turn's
		if strings.Contains(row, "✓ "+p.tool) {
			title = pane(s)[y+i]
		}
	}
	args, owner, _ := strings.Cut(strings.TrimSpace(title), "calculator ")
	args = strings.TrimSpace(strings.TrimPrefix(args, "✓ "+p.tool))
	if begin := strings.TrimSuffix(args, "…"); !strings.HasPrefix(p.args, begin) || s.W >= 80 && len(begin) < min(20, len(p.args)) {
		r.t.Errorf("the card shows the arguments %q of %s", args, p.args)
	}
	if !regexp.MustCompile(`^ *[0-9.]+(ms|s) ▸$`).MatchString(owner) {
		r.t.Errorf("the card names no plugin, or no time: %q", title)
	}
	r.seek(p.text)
	r.newest()
	r.waitIdle(p.result)
}
