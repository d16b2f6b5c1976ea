package transcript

import (
	"strings"

	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// changed counts the lines that a unified diff adds and takes away.
func changed(diff string) (plus, minus int, ok bool) {
	for line := range strings.SplitSeq(diff, "\n") {
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
		case strings.HasPrefix(line, "+"):
			plus++
		case strings.HasPrefix(line, "-"):
			minus++
		}
	}
	return plus, minus, diff != ""
}

// diff shows what the call changed in files; folded, the first rows of it. The
// name of the file is on the card already when there is only one.
func (c *card) diff(cv *canvas, width int) []string {
	lines := strings.Split(strings.TrimRight(c.done.Diff, "\n"), "\n")
	if strings.Count(c.done.Diff, "\n+++ ") <= 1 {
		lines = body(lines)
	}
	var rows []string
	for _, line := range lines {
		rows = append(rows, diffLine(cv.Style, line, width)...)
	}
	c.hidden = true
	if c.open || len(rows) <= previewRows {
		return rows
	}
	return append(rows[:previewRows:previewRows], cv.Style.Muted.Render(more(cv, len(rows)-previewRows)))
}

// body is a diff without the two lines that name the file.
func body(lines []string) []string {
	for i, line := range lines {
		if strings.HasPrefix(line, "@@") {
			return lines[i:]
		}
	}
	return lines
}

func diffLine(s look.Styles, line string, width int) []string {
	style := s.Muted
	switch {
	case strings.HasPrefix(line, "+"):
		style = s.OK
	case strings.HasPrefix(line, "-"):
		style = s.Error
	case strings.HasPrefix(line, "@@"):
		style = s.Accent
	}
	return styled(style.Render, render.WrapHard(render.StripAll(line), width))
}
