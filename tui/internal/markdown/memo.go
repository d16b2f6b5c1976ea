package markdown

// memo keeps what glamour made of finished blocks. That does not depend on the
// width, and making it costs ten times what wrapping it does: with it, a window
// that is being dragged is drawn in time. It holds two generations of at most
// memoSize bytes; what is used stays in the newer one.
type memo struct {
	on         bool // blocks that are being rendered are finished
	young, old map[string][]string
	size       int // of young, in bytes
}

// memoSize is about what an answer of half a megabyte takes, colours included.
const memoSize = 4 << 20

// get returns the rows for src, which make makes when they are not there. They
// must not be changed.
func (m *memo) get(src string, make func() []string) []string {
	if rows, ok := m.young[src]; ok {
		return rows
	}
	rows, ok := m.old[src]
	if !ok {
		rows = make()
	}
	if m.on {
		m.put(src, rows)
	}
	return rows
}

func (m *memo) put(src string, rows []string) {
	size := len(src)
	for _, row := range rows {
		size += len(row) + 16 // the header of a string
	}
	if m.young == nil || m.size+size > memoSize {
		m.young, m.old, m.size = map[string][]string{}, m.young, 0
	}
	m.young[src] = rows
	m.size += size
}

// finished renders a block that will not change any more.
func (r *Renderer) finished(render func(string, int) []string, src string, width int) []string {
	was := r.memo.on
	r.memo.on = true
	defer func() { r.memo.on = was }()
	return render(src, width)
}
