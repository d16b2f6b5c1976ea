package prompt

import (
	"fmt"
	"path/filepath"
	"strings"

	"hermes/agent/injection"
	"hermes/agent/memory"
	"hermes/agent/tool"
)

// memories are the blocks of MEMORY.md and USER.md as they are when the session
// begins; what is written later does not change them (contract/core §1.12).
func memories(in Input) string {
	if in.Home == "" {
		return ""
	}
	dir := filepath.Join(in.Home, "memories")
	return join([]string{
		memoryBlock("MEMORY (your personal notes)", filepath.Join(dir, "MEMORY.md"), in.MemoryLimit, memory.NotesLimit),
		memoryBlock("USER PROFILE (who the user is)", filepath.Join(dir, "USER.md"), in.UserLimit, memory.UserLimit),
	})
}

// memoryBlock renders one memory; the form is exact, plugins and users see it.
func memoryBlock(title, path string, limit, standard int) string {
	if limit < 0 {
		return ""
	}
	if limit == 0 {
		limit = standard
	}
	entries := memory.Parse(readText(path, maxContextFile))
	if len(entries) == 0 {
		return ""
	}
	n := memory.Chars(entries)
	text := memory.Join(entries)
	rule := strings.Repeat("═", 46)
	head := fmt.Sprintf("%s [%d%% — %s/%s chars]", title, min(n*100/limit, 100), tool.Thousands(n), tool.Thousands(limit))
	return rule + "\n" + head + "\n" + rule + "\n" + injection.File(filepath.Base(path), text)
}
