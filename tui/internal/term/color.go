package term

import "hermes/tui/internal/render"

// reduce returns style with only the colours that the profile has.
func (p Profile) reduce(s render.Style) render.Style {
	switch p {
	case TrueColor:
	case NoColor:
		s.FG, s.BG, s.UL = render.Default, render.Default, render.Default
	default:
		s.FG, s.BG = p.color(s.FG), p.color(s.BG)
		if s.UL = p.color(s.UL); p == ANSI {
			s.UL = render.Default // SGR 58 has no form for 16 colours
		}
	}
	if p < ANSI256 && s.Line > 1 {
		s.Line = 1 // 4:3 and its kind are misread by old terminals
	}
	return s
}

func (p Profile) color(c render.Color) render.Color {
	if r, g, b, ok := c.RGB(); ok {
		if p == ANSI256 {
			return render.Indexed(nearest256(r, g, b))
		}
		return render.Indexed(nearest16(r, g, b))
	}
	if i, ok := c.Index(); ok && p == ANSI && i >= 16 {
		return render.Indexed(nearest16(paletteRGB(i)))
	}
	return c
}

// cubeLevels are the steps of the 6x6x6 cube in xterm's palette of 256.
var cubeLevels = [6]int{0, 95, 135, 175, 215, 255}

// basicRGB are xterm's first 16 colours.
var basicRGB = [16][3]uint8{
	{0, 0, 0},
	{205, 0, 0},
	{0, 205, 0},
	{205, 205, 0},
	{0, 0, 238},
	{205, 0, 205},
	{0, 205, 205},
	{229, 229, 229},
	{127, 127, 127},
	{255, 0, 0},
	{0, 255, 0},
	{255, 255, 0},
	{92, 92, 255},
	{255, 0, 255},
	{0, 255, 255},
	{255, 255, 255},
}

// paletteRGB returns colour i of xterm's palette.
func paletteRGB(i uint8) (r, g, b uint8) {
	switch {
	case i < 16:
		c := basicRGB[i]
		return c[0], c[1], c[2]
	case i < 232:
		n := int(i) - 16
		return uint8(cubeLevels[n/36]), uint8(cubeLevels[n/6%6]), uint8(cubeLevels[n%6])
	}
	grey := 8 + 10*(i-232)
	return grey, grey, grey
}

// nearest256 returns the closest colour of the cube or the grey ramp.
func nearest256(r, g, b uint8) uint8 {
	level := func(v uint8) int {
		best := 0
		for i, l := range cubeLevels {
			if abs(l-int(v)) < abs(cubeLevels[best]-int(v)) {
				best = i
			}
		}
		return best
	}
	cube := uint8(16 + 36*level(r) + 6*level(g) + level(b))
	mean := (int(r) + int(g) + int(b)) / 3
	grey := uint8(232 + min(max((mean-3)/10, 0), 23))
	if distance(grey, r, g, b) < distance(cube, r, g, b) {
		return grey
	}
	return cube
}

// nearest16 returns the closest of the basic colours.
func nearest16(r, g, b uint8) uint8 {
	best := uint8(0)
	for i := uint8(1); i < 16; i++ {
		if distance(i, r, g, b) < distance(best, r, g, b) {
			best = i
		}
	}
	return best
}

// distance is the "redmean" approximation of how different two colours look.
func distance(i, r, g, b uint8) int {
	pr, pg, pb := paletteRGB(i)
	mean := (int(pr) + int(r)) / 2
	dr, dg, db := int(pr)-int(r), int(pg)-int(g), int(pb)-int(b)
	return (512+mean)*dr*dr>>8 + 4*dg*dg + (767-mean)*db*db>>8
}

func abs(n int) int { return max(n, -n) }
