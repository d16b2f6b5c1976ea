package term

import tea "github.com/charmbracelet/bubbletea"

// Bits of the button code in mouse reports.
const (
	mouseShift  = 4
	mouseAlt    = 8
	mouseCtrl   = 16
	mouseMotion = 32
)

// mouse emits a mouse report: button code, column and row from 1, and whether
// a button was let go.
func (d *decoder) mouse(code, x, y int, release bool) {
	if code < 0 || x < 1 || y < 1 {
		return
	}
	m := tea.MouseMsg{
		X: x - 1, Y: y - 1,
		Shift: code&mouseShift != 0, Alt: code&mouseAlt != 0, Ctrl: code&mouseCtrl != 0,
		Button: mouseButton(code),
	}
	switch {
	case release || (m.Button == tea.MouseButtonNone && code&mouseMotion == 0):
		m.Action = tea.MouseActionRelease
	case code&mouseMotion != 0 && !tea.MouseEvent(m).IsWheel():
		m.Action = tea.MouseActionMotion
		if last := len(d.out) - 1; last >= 0 && sameDrag(d.out[last], m) {
			d.out[last] = m // only the last place of a drag matters
			return
		}
	}
	d.emit(m)
}

// sameDrag reports whether the message before is the same movement.
func sameDrag(before tea.Msg, now tea.MouseMsg) bool {
	m, ok := before.(tea.MouseMsg)
	m.X, m.Y = now.X, now.Y
	return ok && m == now
}

// mouseButton returns the button of a code: bits 0, 1, 6 and 7.
func mouseButton(code int) tea.MouseButton {
	low := tea.MouseButton(code & 3)
	switch code &^ (3 | mouseShift | mouseAlt | mouseCtrl | mouseMotion) {
	case 0:
		if low == 3 {
			return tea.MouseButtonNone
		}
		return tea.MouseButtonLeft + low
	case 64:
		return tea.MouseButtonWheelUp + low
	case 128:
		return tea.MouseButtonBackward + low
	}
	return tea.MouseButtonNone
}
