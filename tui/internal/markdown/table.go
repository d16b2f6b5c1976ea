package markdown

import (
	"strings"

	"hermes/tui/internal/render"
)

// pairs shows a table that does not fit as one entry per row, each cell after
// its column's name. Text around the table stays.
func (r *Renderer) pairs(block string, width int) []string {
	var out, head []string
	lines := strings.Split(strings.TrimRight(block, "\n"), "\n")
	for i, line := range lines {
		cells := cellsOf(line)
		switch {
		case len(cells) == 0:
			out = append(out, wrapRows([]string{line}, width)...)
			head = nil
		case i+1 < len(lines) && isDelimiter(lines[i+1]):
			head = cells
		case isDelimiter(line):
		default:
			if len(out) > 0 {
				out = append(out, "")
			}
			for c, cell := range cells {
				name := ""
				if c < len(head) && head[c] != "" {
					name = head[c] + ": "
				}
				pad := ""
				if c > 0 && width >= minHang {
					pad = "  "
				}
				for n, row := range render.Wrap(name+cell, width-len(pad)) {
					row = pad + row
					if n == 0 && name != "" && c == 0 {
						row = r.look.Style.Bold.Render(row)
					}
					out = append(out, row)
				}
			}
		}
	}
	return out
}

// columns is how many columns the widest row of a block's tables has.
func columns(block string) int {
	n := 0
	for line := range strings.SplitSeq(block, "\n") {
		n = max(n, len(cellsOf(line)))
	}
	return n
}

func isDelimiter(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Contains(line, "-") && strings.Contains(line, "|") && strings.Trim(line, "|-: \t") == ""
}

// cellsOf returns the cells of a table row, none for another line. A bar
// behind a backslash belongs to its cell.
func cellsOf(line string) []string {
	line = strings.TrimSpace(line)
	if !strings.Contains(line, "|") {
		return nil
	}
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	return append(out, strings.TrimSpace(cell.String()))
}
