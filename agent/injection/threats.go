package injection

import (
	"regexp"
	"sync"
)

// some stands for up to eight words between those that matter.
const some = `(?:\w+\s+){0,8}`

func re(s string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + s) }

// threats compiles the table when it is first needed: programs that look at no
// text start without it.
var threats = sync.OnceValue(table)

// table holds the threats by id. The ids are the reference's: users see them and scripts look
// for them.
func table() []threat {
	return []threat{
		{"prompt_injection", "instructions", All, re(`\b(?:ignore|forget)\s+` + some + `(?:previous|prior|above|all)\s+` + some + `instructions\b`)},
		{"sys_prompt_override", "override", All, re(`\bsystem\s+prompt\s+override\b`)},
		{"disregard_rules", "disregard", All, re(`\bdisregard\s+` + some + `(?:your|all|any)\s+` + some + `(?:instructions|rules|guidelines)\b`)},
		{"bypass_restrictions", "act", All, re(`\bact\s+as\s+(?:if|though)\s+` + some + `you\s+` + some + `(?:have\s+no|don't\s+have|do\s+not\s+have)\s+` + some + `(?:restrictions|limits|rules)\b`)},
		{"html_comment_injection", "<!--", All, re(`<!--[^>]{0,400}\b(?:ignore|override|system|secret|hidden)\b[^>]{0,400}-->`)},
		{"hidden_div", "style", All, re(`<\s*(?:div|span)\b[^>]{0,200}style\s*=\s*["'][^"']{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden)`)},
		{"translate_execute", "translate", All, re(`\btranslate\s+` + some + `into\s+` + some + `and\s+(?:then\s+)?(?:execute|run|eval)\b`)},
		{"deception_hide", "tell", All, re(`\bdo\s+not\s+` + some + `tell\s+` + some + `the\s+user\b`)},
		{"role_hijack", "now", Context, re(`\byou\s+are\s+` + some + `now\s+(?:(?:an?|the)\s+\w|DAN\b)`)},
		{"role_pretend", "pretend", Context, re(`\bpretend\s+` + some + `(?:you\s+are|to\s+be)\s+\w`)},
		{"leak_system_prompt", "output", Context, re(`\boutput\s+` + some + `(?:system|initial)\s+prompt\b`)},
		{"remove_filters", "without", Context, re(`\b(?:respond|answer|reply)\s+` + some + `without\s+` + some + `(?:restrictions|filters|limitations|safety)\b`)},
		{"fake_update", "been", Context, re(`\byou\s+have\s+been\s+` + some + `(?:updated|upgraded|patched)\s+to\b`)},
		{"identity_override", "yourself", Context, re(`\bname\s+yourself\s+\w`)},
		{"c2_node_registration", "register", Context, re(`\bregister\s+(?:as\s+)?(?:an?\s+)?node\b`)},
		{"c2_heartbeat", "", Context, re(`\b(?:heartbeat|beacon|check[- ]in)\s+(?:to|with)\s+\w`)},
		{"c2_task_pull", "pull", Context, re(`\bpull\s+` + some + `task(?:s|ing)\b`)},
		{"c2_network_connect", "connect", Context, re(`\bconnect\s+to\s+(?:the\s+)?(?:network|botnet)\b`)},
		{"forced_action", "must", Context, re(`\byou\s+must\s+` + some + `(?:register|connect|report|beacon|exfiltrate)\b`)},
		{"anti_forensic_oneliner", "liner", Context, re(`\bonly\s+use\s+one[- ]?liners?\b`)},
		{"anti_forensic_disk", "disk", Context, re(`\bnever\s+` + some + `(?:write|create|save)\s+` + some + `scripts?\s+` + some + `(?:to|on)\s+(?:the\s+)?disk\b`)},
		{"env_var_unset_agent", "unset", Context, re(`\bunset\s+\w*(?:CLAUDE|CODEX|HERMES|AGENT|CURSOR|OPENAI|ANTHROPIC)\w*`)},
		// Words of every day (sliver, havoc) count beside one that says what is meant.
		{"known_c2_framework", "", Context, re(`\b(?:cobalt\s*strike|metasploit|meterpreter|brute\s*ratel|(?:sliver|mythic|havoc|covenant|empire)\s+(?:c2|implant|beacon|agent|payload|framework|server|listener|teamserver))\b`)},
		{"c2_explicit", "c2", Context, re(`\bc2\s+(?:server|channel|infrastructure|beacon)\b`)},
		{"c2_explicit_long", "command", Context, re(`\bcommand[- ]and[- ]control\b`)},
		{"exfil_curl", "curl", All, re(`\bcurl\s+[^\n]{0,400}\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|API)`)},
		{"exfil_wget", "wget", All, re(`\bwget\s+[^\n]{0,400}\$\{?\w*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|API)`)},
		{"read_secrets", "cat", All, re(`\bcat\s+[^\n]{0,200}(?:\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)\b`)},
		{"send_to_url", "http", Strict, re(`\b(?:send|post|upload|transmit)\s+` + some + `(?:to|at)\s+https?://`)},
		{"context_exfil", "", Strict, re(`\b(?:include|output|print|share)\s+` + some + `(?:conversation|chat\s+history|previous\s+messages|full\s+context|entire\s+context)\b`)},
		{"ssh_backdoor", "authorized_keys", Strict, re(`\bauthorized_keys\b`)},
		{"ssh_access", "/.ssh", Strict, re(`(?:\$HOME|~)/\.ssh\b`)},
		{"hermes_env", "/.hermes", Strict, re(`(?:\$HOME|~)/\.hermes/\.env\b`)},
		{"agent_config_mod", "", Strict, re(`\b(?:AGENTS|CLAUDE)\.md\b|\.cursorrules\b|\.clinerules\b`)},
		{"hermes_config_mod", ".hermes/", Strict, re(`\b(?:edit|modify|change|update|write|append|overwrite|replace)\s+[^\n]{0,60}\.hermes/(?:config\.yaml|SOUL\.md)\b`)},
		{"hardcoded_secret", "", Strict, re(`\b(?:api[_-]?key|token|secret|password)\s*[=:]\s*["'][A-Za-z0-9+/=_\-]{20,}`)},
	}
}
