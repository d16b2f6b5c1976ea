package themes

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Color is one colour of a palette. The zero value is the terminal's own
// foreground: text in it is never styled.
type Color struct {
	R, G, B uint8
	// ANSI is the nearest colour of the sixteen that every terminal has, for
	// terminals with no more than these; it is ignored when Set is false.
	ANSI uint8
	Set  bool
}

// Hex returns a colour from #rrggbb or #rgb.
func Hex(s string) (Color, error) {
	h := strings.TrimPrefix(strings.TrimSpace(s), "#")
	if len(h) == 3 {
		h = string([]byte{h[0], h[0], h[1], h[1], h[2], h[2]})
	}
	if len(h) != 6 {
		return Color{}, fmt.Errorf("colour %q is not #rrggbb", s)
	}
	n, err := strconv.ParseUint(h, 16, 32)
	if err != nil {
		return Color{}, fmt.Errorf("colour %q is not #rrggbb", s)
	}
	c := Color{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), Set: true}
	c.ANSI = nearest16(c)
	return c, nil
}

// String returns the colour as #rrggbb, empty for the terminal's own.
func (c Color) String() string {
	if !c.Set {
		return ""
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// Luminance is the relative luminance of WCAG 2.1, 0 (black) to 1 (white).
func (c Color) Luminance() float64 {
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func linear(v uint8) float64 {
	f := float64(v) / 255
	if f <= 0.04045 {
		return f / 12.92
	}
	return math.Pow((f+0.055)/1.055, 2.4)
}

// Contrast is the contrast ratio of WCAG 2.1, 1 to 21.
func Contrast(a, b Color) float64 {
	la, lb := a.Luminance(), b.Luminance()
	if la < lb {
		la, lb = lb, la
	}
	return (la + 0.05) / (lb + 0.05)
}

// Contrast that the interface keeps against the background: WCAG 2.1 AA for
// text, and its figure for lines and other shapes.
const (
	TextContrast  = 4.5
	ShapeContrast = 3.0
)

// Readable moves c towards white or black, whichever side of bg has more room,
// until it reaches the wanted contrast. The hue stays as long as it can.
func Readable(c, bg Color, want float64) Color {
	if !c.Set || Contrast(c, bg) >= want {
		return c
	}
	white, black := Color{255, 255, 255, 15, true}, Color{0, 0, 0, 0, true}
	to := white
	if Contrast(black, bg) > Contrast(white, bg) {
		to = black
	}
	const steps = 32
	for i := 1; i <= steps; i++ {
		m := mix(c, to, float64(i)/steps)
		if Contrast(m, bg) >= want {
			m.ANSI = nearest16(m)
			return m
		}
	}
	return to
}

func mix(a, b Color, t float64) Color {
	f := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t)) }
	return Color{R: f(a.R, b.R), G: f(a.G, b.G), B: f(a.B, b.B), ANSI: a.ANSI, Set: true}
}

// ansi16 holds the usual values of the sixteen colours, as xterm has them.
func ansi16() [16][3]uint8 {
	return [16][3]uint8{
		{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
		{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
	}
}

func nearest16(c Color) uint8 {
	best, at := math.MaxInt, uint8(7)
	for i, v := range ansi16() {
		dr, dg, db := int(c.R)-int(v[0]), int(c.G)-int(v[1]), int(c.B)-int(v[2])
		if d := 2*dr*dr + 4*dg*dg + 3*db*db; d < best {
			best, at = d, uint8(i)
		}
	}
	return at
}
