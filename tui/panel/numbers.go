package panel

import "hermes/tui/internal/render"

// numbers are the columns of figures of a table, right-aligned and apart from
// what stands before them. A figure or title that is too wide for its column
// widens it, so that two of them never run into each other.
type numbers []numberColumn

// numberColumn is one of them. Widths are in cells and count the blanks before.
type numberColumn struct {
	title       string
	head, width int // of the title, of the figures
}

// fit widens the columns for the rows and returns by how many cells.
func (n numbers) fit(rows [][]string) int {
	all := 0
	for i, c := range n {
		more := max(render.Width(c.title)+1-c.head, 0)
		for _, row := range rows {
			more = max(more, render.Width(row[i])+1-c.width)
		}
		n[i].head += more
		n[i].width += more
		all += more
	}
	return all
}

func (n numbers) titles() string {
	out := ""
	for _, c := range n {
		out += render.PadLeft(c.title, c.head)
	}
	return out
}

func (n numbers) row(figures []string) string {
	out := ""
	for i, c := range n {
		out += render.PadLeft(figures[i], c.width)
	}
	return out
}
