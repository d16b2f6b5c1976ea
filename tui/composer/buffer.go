package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/tui/internal/render"
)

// atom is one step of the caret: a grapheme cluster, or a pasted text that is
// shown as one chip.
type atom struct {
	text  string
	width int    // cells; 0 for a line end
	chip  string // what is shown instead of text, empty for a cluster
}

// buffer is a text with a caret between two atoms. All editing is by atoms, so
// that no letter with its accents, no emoji and no chip is cut in two.
type buffer struct {
	atoms []atom
	caret int // 0 … len(atoms)
}

// split cuts plain text into atoms.
func split(text string) []atom {
	var out []atom
	for len(text) > 0 {
		if text[0] == '\n' {
			out = append(out, atom{text: "\n"})
			text = text[1:]
			continue
		}
		if text[0] == '\t' { // kept as it is, shown as blanks
			out = append(out, atom{text: "\t", width: render.TabWidth, chip: strings.Repeat(" ", render.TabWidth)})
			text = text[1:]
			continue
		}
		var seg render.Segment
		seg, text = render.Next(text)
		if seg.Kind == render.Cluster {
			out = append(out, atom{text: seg.Text, width: seg.Width})
		}
	}
	return out
}

// String is the whole text, chips expanded.
func (b *buffer) String() string { return text(b.atoms) }

func text(atoms []atom) string {
	var s strings.Builder
	for i := range atoms {
		s.WriteString(atoms[i].text)
	}
	return s.String()
}

// insert puts plain text at the caret. What is next to it may join a cluster
// with it, as an accent does that arrives after its letter.
func (b *buffer) insert(s string) {
	from, to := b.caret, b.caret
	if from > 0 && joins(b.atoms[from-1]) {
		from--
	}
	head := text(b.atoms[from:b.caret]) + s
	fresh := split(head)
	b.replace(from, to, fresh)
	b.caret = from + len(fresh)
}

// joins tells whether an atom can take in what comes after it.
func joins(a atom) bool { return a.chip == "" && a.text != "\n" }

// insertChip puts a pasted text at the caret, shown as label.
func (b *buffer) insertChip(s, label string) {
	b.replace(b.caret, b.caret, []atom{{text: s, width: render.Width(label), chip: label}})
	b.caret++
}

// replace puts atoms in the place of [from, to).
func (b *buffer) replace(from, to int, with []atom) {
	out := make([]atom, 0, len(b.atoms)-(to-from)+len(with))
	out = append(out, b.atoms[:from]...)
	out = append(out, with...)
	b.atoms = append(out, b.atoms[to:]...)
}

// cut removes [from, to) and puts the caret there.
func (b *buffer) cut(from, to int) string {
	gone := text(b.atoms[from:to])
	b.replace(from, to, nil)
	b.caret = from
	return gone
}

func (b *buffer) set(s string) {
	b.atoms = split(s)
	b.caret = len(b.atoms)
}

// lineStart and lineEnd are the ends of the line the caret is in.
func (b *buffer) lineStart() int {
	i := b.caret
	for i > 0 && b.atoms[i-1].text != "\n" {
		i--
	}
	return i
}

func (b *buffer) lineEnd() int {
	i := b.caret
	for i < len(b.atoms) && b.atoms[i].text != "\n" {
		i++
	}
	return i
}

// wordLeft and wordRight are where a word move ends.
func (b *buffer) wordLeft() int {
	i := b.caret
	for i > 0 && class(b.atoms[i-1]) == 0 {
		i--
	}
	if i > 0 {
		c := class(b.atoms[i-1])
		for i > 0 && class(b.atoms[i-1]) == c {
			i--
		}
	}
	return i
}

func (b *buffer) wordRight() int {
	i := b.caret
	for i < len(b.atoms) && class(b.atoms[i]) == 0 {
		i++
	}
	if i < len(b.atoms) {
		c := class(b.atoms[i])
		for i < len(b.atoms) && class(b.atoms[i]) == c {
			i++
		}
	}
	return i
}

// blankLeft is where Ctrl+W ends: as in shells, at the blank before the word.
func (b *buffer) blankLeft() int {
	i := b.caret
	for i > 0 && class(b.atoms[i-1]) == 0 {
		i--
	}
	for i > 0 && class(b.atoms[i-1]) != 0 {
		i--
	}
	return i
}

// class sorts atoms into blanks (0), letters, ideographs, chips and the rest.
func class(a atom) int {
	if a.chip != "" && a.text != "\t" {
		return 4
	}
	switch r, _ := utf8.DecodeRuneInString(a.text); {
	case unicode.IsSpace(r):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return 3
	case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
		return 1
	}
	return 2
}
