package prompt

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"hermes/agent/injection"
	"hermes/agent/tool"
)

// Sizes of the two memories, in characters (contract/core §2.5).
const (
	memoryLimit = 2200
	userLimit   = 1375
)

// entryMark stands between the entries of a memory file.
const entryMark = "\n§\n"

// memories are the blocks of MEMORY.md and USER.md as they are when the session
// begins; what is written later does not change them (contract/core §1.12).
func memories(in Input) string {
	if in.Home == "" {
		return ""
	}
	dir := filepath.Join(in.Home, "memories")
	return join([]string{
		memoryBlock("MEMORY (your personal notes)", filepath.Join(dir, "MEMORY.md"), in.MemoryLimit, memoryLimit),
		memoryBlock("USER PROFILE (who the user is)", filepath.Join(dir, "USER.md"), in.UserLimit, userLimit),
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
	var entries []string
	for _, e := range strings.Split(readText(path, maxContextFile), entryMark) {
		if e = strings.TrimSpace(e); e != "" {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return ""
	}
	text := strings.Join(entries, entryMark)
	n := utf8.RuneCountInString(text)
	rule := strings.Repeat("═", 46)
	head := fmt.Sprintf("%s [%d%% — %s/%s chars]", title, min(n*100/limit, 100), tool.Thousands(n), tool.Thousands(limit))
	return rule + "\n" + head + "\n" + rule + "\n" + injection.File(filepath.Base(path), text)
}
