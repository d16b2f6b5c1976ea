package term

import "strings"

// Profile is how many colours the terminal shows. Views style for TrueColor;
// the screen writer reduces what they use, so that this is the only place
// where colours are given up.
type Profile uint8

// Profiles, from fewest to most colours.
const (
	// NoColor: attributes only (NO_COLOR, TERM=vt100).
	NoColor Profile = iota
	// ANSI: the 16 basic colours.
	ANSI
	// ANSI256: the palette of 256.
	ANSI256
	// TrueColor: 24 bits.
	TrueColor
)

// String names the profile.
func (p Profile) String() string {
	return [...]string{"no colour", "16 colours", "256 colours", "truecolor"}[p]
}

// DetectProfile reads the environment: NO_COLOR (https://no-color.org, any
// value but the empty one), COLORTERM, and the names in TERM.
func DetectProfile(getenv func(string) string) Profile {
	if getenv("NO_COLOR") != "" {
		return NoColor
	}
	term := strings.ToLower(getenv("TERM"))
	switch c := strings.ToLower(getenv("COLORTERM")); {
	case c == "truecolor" || c == "24bit":
		return TrueColor
	case c == "yes" || c == "true":
		return ANSI256
	}
	if getenv("WT_SESSION") != "" { // Windows Terminal
		return TrueColor
	}
	for _, name := range [...]string{"kitty", "ghostty", "alacritty", "wezterm", "foot", "contour", "rio", "direct", "truecolor"} {
		if strings.Contains(term, name) {
			return TrueColor
		}
	}
	switch {
	case strings.Contains(term, "256"):
		return ANSI256
	case term == "dumb", strings.HasPrefix(term, "vt") && !strings.HasPrefix(term, "vte"), strings.HasSuffix(term, "-m"), strings.HasSuffix(term, "-mono"):
		return NoColor
	}
	return ANSI
}
