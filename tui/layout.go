package tui

// class is the size class of the screen (design: XS, S, M, L by columns).
type class uint8

const (
	tooSmall class = iota // a notice, the draft is kept
	extraSmall
	small
	medium
	large
)

// Bounds of the classes, in cells.
const (
	leastWidth, leastHeight = 20, 6
	smallWidth              = 40
	mediumWidth             = 110
	largeWidth              = 160
	hintsFrom               = 20 // rows
	mediumPanel             = 37
	largePanel              = 43
	leastDetail             = 60
)

func classOf(w, h int) class {
	switch {
	case w < leastWidth || h < leastHeight:
		return tooSmall
	case w < smallWidth:
		return extraSmall
	case w < mediumWidth:
		return small
	case w < largeWidth:
		return medium
	}
	return large
}

// layout is how the screen is divided. Widths include the border at the left
// of a column.
type layout struct {
	class         class
	w, h          int
	left          int // conversation, composer and status line
	panel, detail int
	hints         int // rows below everything, over the whole width
}

func divide(w, h int, panel bool) layout {
	l := layout{class: classOf(w, h), w: w, h: h, left: w}
	if l.class < medium {
		return l
	}
	if h >= hintsFrom {
		l.hints = 1
	}
	if !panel {
		return l
	}
	if l.class == medium {
		l.panel = mediumPanel + 1
	} else {
		l.panel = largePanel + 1
		// 60 columns at 160, three more at 200: the conversation gets the rest.
		l.detail = leastDetail + (w-largeWidth)*3/40 + 1
		if l.hints > 0 {
			l.hints = 2
		}
	}
	l.left = w - l.panel - l.detail
	return l
}
