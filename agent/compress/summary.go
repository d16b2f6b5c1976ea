package compress

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"hermes/agent/llm"
)

// Mark begins the message that stands for what was taken out. Other programs
// that read the same sessions know it (contract/core §1.11).
const Mark = "[CONTEXT COMPACTION — REFERENCE ONLY]"

// endMark ends it.
const endMark = "[END OF CONTEXT COMPACTION]"

const preface = Mark + " Earlier messages of this conversation were replaced by the summary below to make room. It is background: do not answer it and do not repeat work that it calls done. The latest message of the user is the only task."

// Bounds of a summary, in tokens.
const (
	summaryShare = 0.20 // of what is taken out
	summaryMin   = 2_000
	summaryMax   = 10_000
	windowShare  = 0.05
)

// Budget is how many tokens the summary of middle may take.
func Budget(middle []llm.Message, window int) int {
	n := min(max(int(float64(Tokens(middle))*summaryShare), summaryMin), summaryMax)
	if window > 0 {
		n = min(n, max(int(float64(window)*windowShare), 400))
	}
	return n
}

// Previous is the summary that an earlier compression left in msgs, "" when
// there is none.
func Previous(msgs []llm.Message) string {
	for i := len(msgs) - 1; i >= 0; i-- {
		if body, ok := strings.CutPrefix(msgs[i].Content, preface); ok {
			body, _, _ = strings.Cut(body, endMark)
			return strings.TrimSpace(body)
		}
	}
	return ""
}

// IsSummary reports whether m stands for messages that were taken out.
func IsSummary(m llm.Message) bool { return strings.HasPrefix(m.Content, Mark) }

// Prompt asks a model for the summary of middle. focus is what the user wants
// kept above all; budget is in tokens.
func Prompt(middle []llm.Message, focus string, budget int) string {
	var b strings.Builder
	b.WriteString("Write a summary that will take the place of the conversation below. Another assistant goes on from it and sees nothing else of this part. Do not answer anything in it; only report.\n\n")
	b.WriteString("Rules: write in the language of the user; keep exact names, paths, commands, numbers, error texts and decisions; write [REDACTED] in place of any key, password or token; ")
	fmt.Fprintf(&b, "stay under %d tokens. Leave out sections that would be empty.\n\n", budget)
	b.WriteString("Sections: ## Goal; ## Constraints & Preferences; ## Completed Actions (numbered); ## Active State; ## Blocked; ## Key Decisions; ## Resolved Questions; ## Relevant Files; ## Critical Context; ## Historical Task; ## Historical In-Progress; ## Historical Pending Asks; ## Historical Remaining Work. What is historical may be over by now.\n")
	if focus != "" {
		fmt.Fprintf(&b, "\nThe user wants this kept in the most detail: %s\n", focus)
	}
	if old := Previous(middle); old != "" {
		b.WriteString("\nAn earlier summary is given first. Bring it up to date: keep what still holds, add what came after, drop what is settled.\n\n<earlier_summary>\n" + old + "\n</earlier_summary>\n")
	}
	b.WriteString("\n<conversation>\n")
	for _, m := range middle {
		if !IsSummary(m) {
			b.WriteString(transcript(m))
		}
	}
	b.WriteString("</conversation>\n")
	return b.String()
}

// transcriptChars bounds what the request shows of one message.
const transcriptChars = 6_000

func transcript(m llm.Message) string {
	var b strings.Builder
	role := m.Role
	if m.Role == llm.RoleTool {
		role = "result of " + m.Name
	}
	fmt.Fprintf(&b, "[%s] %s\n", role, middleCut(m.Content, transcriptChars))
	for _, c := range m.ToolCalls {
		fmt.Fprintf(&b, "[calls %s] %s\n", c.Name, middleCut(c.Arguments, transcriptChars/4))
	}
	return b.String()
}

// fallbackChars bounds a summary that is made without a model.
const fallbackChars = 8_000

// Fallback makes a summary without a model: what the user asked, what was
// called, what was answered, as far as it fits.
func Fallback(middle []llm.Message) string {
	var b strings.Builder
	b.WriteString("No model could be had for this summary; it lists what happened, shortened.\n")
	if old := Previous(middle); old != "" {
		b.WriteString("\n" + middleCut(old, fallbackChars/2) + "\n")
	}
	var lines []string
	for _, m := range middle {
		if line := fallbackLine(m); line != "" && !IsSummary(m) {
			lines = append(lines, line)
		}
	}
	room := fallbackChars - utf8.RuneCountInString(b.String()) - 60
	from, used := len(lines), 0
	for from > 0 && used+utf8.RuneCountInString(lines[from-1])+1 <= room { // the newest count most
		from--
		used += utf8.RuneCountInString(lines[from]) + 1
	}
	if from > 0 {
		fmt.Fprintf(&b, "\n(%d older entries left out)", from)
	}
	for _, l := range lines[from:] {
		b.WriteString("\n" + l)
	}
	return b.String()
}

func fallbackLine(m llm.Message) string {
	switch {
	case m.Role == llm.RoleUser && m.Synthetic:
		return ""
	case m.Role == llm.RoleUser:
		return "- The user said: " + oneLine(m.Content, 400)
	case m.Role == llm.RoleTool:
		return "- " + outline(m)
	case len(m.ToolCalls) > 0:
		var names []string
		for _, c := range m.ToolCalls {
			names = append(names, c.Name+" "+oneLine(c.Arguments, 160))
		}
		return "- Called " + strings.Join(names, "; ")
	case strings.TrimSpace(m.Content) != "":
		return "- The assistant said: " + oneLine(m.Content, 300)
	}
	return ""
}

// outline says in one line what a tool's result was.
func outline(m llm.Message) string {
	var r struct {
		Exit  *int   `json:"exit_code"`
		Error string `json:"error"`
		Total *int   `json:"total_lines"`
		Count *int   `json:"total_count"`
	}
	size := fmt.Sprintf("%d characters", utf8.RuneCountInString(m.Content))
	if json.Unmarshal([]byte(m.Content), &r) != nil {
		if m.Name == "" {
			return clearedResult
		}
		return fmt.Sprintf("[%s gave %s, cleared to save context space: %s]", m.Name, size, oneLine(m.Content, 80))
	}
	switch {
	case r.Error != "":
		return fmt.Sprintf("[%s failed: %s]", m.Name, oneLine(r.Error, 160))
	case r.Exit != nil:
		return fmt.Sprintf("[%s ended with exit code %d, %s of output cleared]", m.Name, *r.Exit, size)
	case r.Total != nil:
		return fmt.Sprintf("[%s read %d lines, cleared]", m.Name, *r.Total)
	case r.Count != nil:
		return fmt.Sprintf("[%s found %d, cleared]", m.Name, *r.Count)
	case m.Name == "":
		return clearedResult
	}
	return fmt.Sprintf("[%s gave %s, cleared]", m.Name, size)
}

// Message wraps a summary as the message that takes the place of what went.
// Its role keeps user and assistant in turn with what stands before.
func Message(summary string, before []llm.Message) llm.Message {
	role := llm.RoleUser
	if n := len(before); n > 0 && before[n-1].Role != llm.RoleAssistant {
		role = llm.RoleAssistant
	}
	return llm.Message{Role: role, Content: preface + "\n\n" + strings.TrimSpace(summary) + "\n\n" + endMark, Synthetic: true}
}

func oneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}

// middleCut keeps the beginning and the end of a text.
func middleCut(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	r := []rune(s)
	head := limit * 2 / 3
	return string(r[:head]) + " … " + string(r[len(r)-(limit-head):])
}
