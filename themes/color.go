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
	Set     bool
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
	return Color{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), Set: true}, nil
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
	white, black := Color{255, 255, 255, true}, Color{0, 0, 0, true}
	to := white
	if Contrast(black, bg) > Contrast(white, bg) {
		to = black
	}
	const steps = 32
	for i := 1; i <= steps; i++ {
		if m := mix(c, to, float64(i)/steps); Contrast(m, bg) >= want {
			return m
		}
	}
	return to
}

func mix(a, b Color, t float64) Color {
	f := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t)) }
	return Color{R: f(a.R, b.R), G: f(a.G, b.G), B: f(a.B, b.B), Set: true}
}
