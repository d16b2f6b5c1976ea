package demo

// shapes.go knows the formulas of school geometry as texts: it puts the user's
// lengths into them and leaves the arithmetic to a tool.

// shapeTable: shape words | what is asked | formula. In the formula a, b and c
// are the numbers of the text in their order; r is a radius, also when the text
// gives the diameter.
var shapeTable = []struct {
	shape, asked string
	numbers      int
	build        func(n []*node) *node
}{
	{"circle 圆 圆形", "area 面积", 1, func(n []*node) *node { return op2("*", pi(), square(n[0])) }},
	{"circle 圆 圆形", "circumference perimeter 周长", 1, func(n []*node) *node { return op2("*", op2("*", num("2"), pi()), n[0]) }},
	{"sphere ball 球 球体", "volume 体积", 1, func(n []*node) *node {
		return op2("*", op2("*", op2("/", num("4"), num("3")), pi()), op2("**", n[0], num("3")))
	}},
	{"rectangle 长方形 矩形", "area 面积", 2, func(n []*node) *node { return op2("*", n[0], n[1]) }},
	{"rectangle 长方形 矩形", "perimeter 周长", 2, func(n []*node) *node { return op2("*", num("2"), op2("+", n[0], n[1])) }},
	{"square 正方形", "area 面积", 1, func(n []*node) *node { return square(n[0]) }},
	{"square 正方形", "perimeter 周长", 1, func(n []*node) *node { return op2("*", num("4"), n[0]) }},
	{"cube 正方体 立方体", "volume 体积", 1, func(n []*node) *node { return op2("**", n[0], num("3")) }},
	{"triangle 三角形", "area 面积", 2, func(n []*node) *node { return op2("/", op2("*", n[0], n[1]), num("2")) }},
	{"triangle 三角形 直角三角形", "hypotenuse 斜边", 2, func(n []*node) *node {
		return call("sqrt", op2("+", square(n[0]), square(n[1])))
	}},
}

// shapeWords have to be words for the cutting of Chinese.
const shapeWords = "圆 圆形 球 球体 长方形 矩形 正方形 正方体 立方体 三角形 直角三角形 面积 周长 体积 斜边 半径 直径"

func pi() *node            { return &node{op: "const", text: "pi"} }
func square(n *node) *node { return op2("**", n, num("2")) }
func anyOf(ts []token, words string) bool {
	for _, t := range ts {
		if inWords(words, t.text) {
			return true
		}
	}
	return false
}

// findShape reads "area of a circle with radius 5" and 半径为 5 的圆的面积.
func findShape(ts []token) (*node, bool) {
	var ns []*node
	for _, t := range ts {
		if t.kind == tokNum {
			ns = append(ns, num(t.text))
		}
	}
	for _, row := range shapeTable {
		named := anyOf(ts, row.shape) || row.numbers == 2 && anyOf(ts, "长 length long") && anyOf(ts, "宽 width wide") && inWords(row.shape, "rectangle")
		if len(ns) != row.numbers || !named || !anyOf(ts, row.asked) {
			continue
		}
		round := anyOf(ts, "circle 圆 圆形 sphere ball 球 球体")
		switch {
		case round && anyOf(ts, "diameter 直径"):
			ns[0] = op2("/", ns[0], num("2"))
		case round && !anyOf(ts, "radius 半径"):
			return nil, false
		}
		return row.build(ns), true
	}
	return nil, false
}
