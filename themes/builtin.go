package themes

import "sort"

// Default returns the theme that is used when the user chose none.
func Default() *Theme { t, _ := Builtin("default"); return t }

// Builtin returns a theme by name. The names of the reference's skins exist;
// their palettes are our own.
func Builtin(name string) (*Theme, bool) {
	for _, b := range builtins() {
		if b.name == name {
			return b.theme(), true
		}
	}
	return nil, false
}

// Names returns the names of the built-in themes, sorted.
func Names() []string {
	var out []string
	for _, b := range builtins() {
		out = append(out, b.name)
	}
	sort.Strings(out)
	return out
}

// hues is a palette in the order of Palette's fields.
type hues [9]string

type builtin struct {
	name, about string
	dark, light hues
}

func builtins() []builtin {
	//              accent     title      label      ok         warn       error      muted      border     code
	return []builtin{
		{
			"default", "amber on the terminal's own colours",
			hues{"#ffb347", "#ffd27f", "#e0a050", "#6cc070", "#ffb454", "#ff7a70", "#9a9aa6", "#77736b", "#8ec7d2"},
			hues{"#945200", "#7a4400", "#8a5a00", "#1f7a2e", "#8f5600", "#b3261e", "#63636e", "#8a867d", "#0b5f73"},
		},
		{
			"high-contrast", "strong colours, for weak eyes and bright rooms",
			hues{"#ffff00", "#ffffff", "#00ffff", "#00ff5f", "#ffd700", "#ff8080", "#d0d0d0", "#c0c0c0", "#7fdfff"},
			hues{"#0000c0", "#000000", "#00458b", "#00560f", "#6b3a00", "#9b0000", "#3a3a3a", "#4a4a4a", "#003c6e"},
		},
		{
			"colour-blind", "blue and orange in place of green and red",
			hues{"#8ab8ff", "#d0e2ff", "#9ad0f5", "#6ab0ff", "#ffd166", "#ff9f40", "#a0a4ad", "#747a85", "#c9b6ff"},
			hues{"#0b57a4", "#083d77", "#14507a", "#0b57a4", "#7a5200", "#a34700", "#5f636b", "#868c97", "#5b3a9b"},
		},
		{
			"ares", "red and bronze",
			hues{"#ff8a65", "#ffc2a8", "#e0a080", "#a5c261", "#ffb454", "#ff6b6b", "#a39a96", "#7d6a63", "#e0c090"},
			hues{"#a3260f", "#7a1f0e", "#8a3b1c", "#3d6b12", "#8a5000", "#b00020", "#6b615d", "#94857f", "#6b4a12"},
		},
		{
			"mono", "greys only",
			hues{"#e0e0e0", "#ffffff", "#d0d0d0", "#e0e0e0", "#d8d8d8", "#ffffff", "#a0a0a0", "#787878", "#d0d0d0"},
			hues{"#303030", "#000000", "#404040", "#303030", "#383838", "#000000", "#606060", "#888888", "#404040"},
		},
		{
			"slate", "cool blue and grey",
			hues{"#8fb8de", "#c6dcf0", "#9fb6cc", "#86c29c", "#e2c08d", "#f08a8a", "#95a0ac", "#6c7783", "#a8c7d8"},
			hues{"#22577a", "#1b3f5a", "#35556e", "#2a6b45", "#7d5a17", "#a3312f", "#5a6672", "#85909b", "#1f5c70"},
		},
		{
			"daylight", "for light terminals",
			hues{"#e8b44f", "#f2d692", "#d9a94e", "#7fbf7f", "#efb75c", "#f08070", "#a09c90", "#7a766c", "#86c5c9"},
			hues{"#7a4f00", "#5e3d00", "#6e4a0a", "#22692b", "#855000", "#a8271c", "#625e54", "#8d887c", "#0c5a66"},
		},
		{
			"warm-lightmode", "paper and ink",
			hues{"#e6a173", "#f5cfb0", "#d99a70", "#9dbf74", "#edb35f", "#ee7f6b", "#a89a8e", "#7f7166", "#9cc1b5"},
			hues{"#8a3f10", "#6b2f0b", "#7a4522", "#3f6212", "#855000", "#a1271a", "#6a5d52", "#95877a", "#2f5d50"},
		},
		{
			"poseidon", "sea green",
			hues{"#5fd7d7", "#b0f0ee", "#7fc8d0", "#7fd08f", "#e8c66a", "#ff8a80", "#93a3a6", "#66797d", "#9fd0ff"},
			hues{"#00626b", "#004a52", "#1b5a66", "#1c6b35", "#7a5600", "#a82a22", "#566669", "#80918f", "#174f86"},
		},
		{
			"sisyphus", "stone and dust",
			hues{"#d0c3a5", "#ece2cb", "#c2b594", "#a7bf8a", "#e0b870", "#e68a7a", "#9f9a8f", "#757065", "#b9c4b0"},
			hues{"#5f4f24", "#463a19", "#5d5130", "#41611f", "#7a5200", "#9c2f22", "#625d52", "#8c867a", "#3f5540"},
		},
		{
			"charizard", "fire",
			hues{"#ff9f43", "#ffd29b", "#ffb168", "#8fd16a", "#ffd166", "#ff7b6b", "#a89d96", "#806f65", "#7fd0d8"},
			hues{"#9c4300", "#7a3400", "#8a4512", "#2f6b12", "#855000", "#b3201a", "#6a5f58", "#958a80", "#0f5c66"},
		},
	}
}

func (b builtin) theme() *Theme {
	return &Theme{Name: b.name, Description: b.about, Dark: b.dark.palette(), Light: b.light.palette()}
}

func (h hues) palette() Palette {
	var p Palette
	for i, c := range []*Color{&p.Accent, &p.Title, &p.Label, &p.OK, &p.Warn, &p.Error, &p.Muted, &p.Border, &p.Code} {
		*c, _ = Hex(h[i]) // the table above is checked by a test
	}
	return p
}
