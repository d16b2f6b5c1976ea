package markdown

import (
	"strconv"
	"strings"

	"hermes/tui/internal/render"
)

// section is a part of a block that is rendered in one way.
type section struct {
	kind  blockKind // kindText, kindList or kindQuote
	lines []string
}

// sections cuts a block into lists, quotes and the rest. Lists and quotes are
// nested here rather than by glamour, which runs the paragraphs of an item
// together and does not indent what continues it.
func sections(block string) []section {
	var out []section
	fence := ""
	for line := range strings.SplitSeq(strings.TrimRight(block, "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		kind := kindText
		cur := len(out) - 1
		switch {
		case cur >= 0 && (fence != "" || trimmed == ""):
			kind = out[cur].kind
		case startsItem(line, trimmed, cur >= 0 && out[cur].kind == kindList):
			kind = kindList
		case strings.HasPrefix(trimmed, ">") && indent(line) < 4 && (cur < 0 || out[cur].kind != kindList):
			kind = kindQuote
		case cur >= 0 && out[cur].kind == kindList && stays(line, trimmed):
			kind = kindList
		}
		if f := fenceOf(trimmed); f != "" && fence == "" {
			fence = f
		} else if fence != "" && closes(trimmed, fence) {
			fence = ""
		}
		if cur < 0 || out[cur].kind != kind {
			out = append(out, section{kind: kind})
			cur++
		}
		out[cur].lines = append(out[cur].lines, line)
	}
	return out
}

// startsItem tells whether a line begins a list. Inside text only a bullet or
// number one does, so that a line that happens to begin with a year stays text.
func startsItem(line, trimmed string, inList bool) bool {
	if !isItem(trimmed) || isRule(trimmed) {
		return false
	}
	if inList {
		return true
	}
	return indent(line) < 4 && (trimmed[0] < '0' || trimmed[0] > '9' || strings.HasPrefix(trimmed, "1.") || strings.HasPrefix(trimmed, "1)"))
}

// stays tells whether a line without a marker belongs to the list before it.
func stays(line, trimmed string) bool {
	return indent(line) >= 2 || !strings.HasPrefix(trimmed, "#") && fenceOf(trimmed) == "" && !isRule(trimmed) && !strings.HasPrefix(trimmed, "|")
}

func isRule(trimmed string) bool {
	for _, c := range []string{"-", "*", "_"} {
		if n := strings.Count(trimmed, c); n >= 3 && strings.Trim(trimmed, c+" ") == "" {
			return true
		}
	}
	return false
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// quote renders what a quote says, behind a bar.
func (r *Renderer) quote(lines []string, width int) []string {
	var inner strings.Builder
	for _, line := range lines {
		line = strings.TrimLeft(line, " ")
		line = strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
		inner.WriteString(line + "\n")
	}
	if width < minHang {
		return r.text(inner.String(), width)
	}
	bar := r.look.Style.Muted.Render(r.look.Glyph.V) + " "
	rows := r.text(inner.String(), width-2)
	for i := range rows {
		rows[i] = bar + rows[i]
	}
	return rows
}

// item is one entry of a list.
type item struct {
	number int // 0 for a bullet
	body   []string
	loose  bool // a blank line comes after it
}

// items reads a list. What is indented by two or more belongs to the item
// above, as models mean it, also where CommonMark would want three.
func items(lines []string) []item {
	var out []item
	base, content, fence := 0, 0, ""
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		if fence == "" && isItem(trimmed) && !isRule(trimmed) && (len(out) == 0 || indent(line) < base+2) {
			base = indent(line)
			n, mark := number(trimmed)
			content = base + mark
			out = append(out, item{number: n, body: []string{strings.TrimLeft(trimmed[mark:], " ")}})
			continue
		}
		if len(out) == 0 {
			continue // cannot be: a list begins with an item
		}
		if f := fenceOf(trimmed); f != "" && fence == "" {
			fence = f
		} else if fence != "" && closes(trimmed, fence) {
			fence = ""
		}
		cur := &out[len(out)-1]
		cur.body = append(cur.body, line[min(indent(line), max(content, base+2), len(line)):])
	}
	for i := range out {
		b := out[i].body
		for len(b) > 1 && strings.TrimSpace(b[len(b)-1]) == "" {
			b, out[i].loose = b[:len(b)-1], true
		}
		out[i].body = b
	}
	return out
}

// number returns the number of an item, 0 for a bullet, and the length of the
// marker with its blank.
func number(trimmed string) (n, length int) {
	i := 0
	for i < len(trimmed) && trimmed[i] >= '0' && trimmed[i] <= '9' {
		i++
	}
	if i == 0 {
		return 0, min(2, len(trimmed))
	}
	n, _ = strconv.Atoi(trimmed[:i]) // at most nine digits, isItem saw to it
	return max(n, 1), min(i+2, len(trimmed))
}

// minHang is the width below which nesting no longer indents.
const minHang = 12

func (r *Renderer) list(lines []string, width int) []string {
	var out []string
	all := items(lines)
	wide := 0
	if len(all) > 0 && all[0].number > 0 {
		wide = len(strconv.Itoa(all[0].number+len(all)-1)) + 2
	}
	for i, it := range all {
		mark := r.bullet(&it, all, i, wide)
		hang := render.Width(mark)
		if width-hang < minHang {
			mark, hang = "", 0
		}
		rows := r.text(strings.Join(it.body, "\n"), max(width-hang, 1))
		if len(rows) == 0 {
			rows = []string{""}
		}
		if i > 0 && all[i-1].loose && len(out) > 0 && (len(all[i-1].body) > 1 || len(it.body) > 1) {
			out = append(out, "")
		}
		pad := strings.Repeat(" ", hang)
		for n, row := range rows {
			switch {
			case n == 0:
				out = append(out, mark+row)
			case row == "":
				out = append(out, "")
			default:
				out = append(out, pad+row)
			}
		}
	}
	return out
}

// bullet returns the marker of an item; a task's box takes its place.
func (r *Renderer) bullet(it *item, all []item, i, wide int) string {
	for _, box := range []struct {
		src  string
		done bool
	}{{"[ ] ", false}, {"[x] ", true}, {"[X] ", true}} {
		if rest, ok := strings.CutPrefix(it.body[0], box.src); ok && it.number == 0 {
			it.body = append([]string{rest}, it.body[1:]...)
			switch {
			case !box.done:
				return "[ ] "
			case r.look.ASCII:
				return "[x] "
			}
			return "[✓] "
		}
	}
	if it.number == 0 {
		if r.look.ASCII {
			return "- "
		}
		return "• "
	}
	first := max(all[0].number, 1)
	return render.Pad(strconv.Itoa(first+i)+".", wide)
}

// text renders several blocks, with a blank row between them.
func (r *Renderer) text(src string, width int) []string {
	var rows []string
	for _, b := range Split(src) {
		rows = join(rows, r.Block(b, width))
	}
	return rows
}
