package demo

import "strings"

// operand reads one operand: a number, a constant, brackets, a function with
// its argument, a verb with its operands.
func (p *exprParser) operand(i, depth int) (*node, int) {
	if p.steps--; depth > maxExprDepth || p.steps < 0 || i >= len(p.ts) {
		return nil, i
	}
	if p.ts[i].kind == tokNum {
		return p.number(i, depth)
	}
	if p.text(i) == "(" {
		n, next := p.sum(i+1, depth+1)
		if n == nil || p.text(next) != ")" {
			return nil, i
		}
		return n, next + 1
	}
	if n, next := p.function(i, depth); n != nil {
		return n, next
	}
	if c, ok := p.constant(i); ok {
		return &node{op: "const", text: c}, i + 1
	}
	if n, next := p.special(i, depth); n != nil {
		return n, next
	}
	return p.worded(i, depth)
}

// worded reads an operand that begins with a phrase of the grammar.
func (p *exprParser) worded(i, depth int) (*node, int) {
	g, n := p.at(i)
	var arg *node
	next := i
	switch g.kind {
	case gramPrefix:
		arg, next = p.unary(p.skipOf(i+n), depth+1)
		if arg != nil {
			arg, next = p.degrees(g.op, arg, next)
			if g.op == "log" && p.text(next) == "base" {
				if base, end := p.operand(next+1, depth+1); base != nil {
					return logOf(arg, base), end
				}
			}
		}
	case gramWide:
		arg, next = p.product(p.skipOf(i+n), depth+1)
	case gramList:
		return p.list(g.op, i+n, depth+1)
	case gramVerb:
		return p.verb(g.op, i+n, depth+1)
	}
	if arg == nil {
		return nil, i
	}
	return apply(g.op, arg), next
}

func (p *exprParser) skipOf(i int) int {
	for p.text(i) == "of" || p.text(i) == "the" {
		i++
	}
	return i
}

// number reads a number and the words that make it a part or a root: "two
// thirds", 三分之一, "4th root of".
func (p *exprParser) number(i, depth int) (*node, int) {
	t := p.ts[i]
	n, next := num(t.text), i+1
	if p.text(next) == "分之" && p.isNum(next+1) {
		f := op2("/", num(p.text(next+1)), n)
		f.text = "part"
		return f, next + 2
	}
	if s := p.text(next); s == "th" || s == "rd" || s == "nd" || s == "st" {
		if p.text(next+1) == "root" {
			return p.root(n, next+2, depth)
		}
		if p.phraseAt(next+1, "power", "of") {
			return p.powerOf(n, next+3, depth)
		}
		return n, next
	}
	if d := p.lex.ordinal[p.text(next)]; d != "" && p.text(next) != "second" {
		f := op2("/", n, num(d))
		f.text = "part"
		return f, next + 1
	}
	return n, next
}

// root reads "… root of x".
func (p *exprParser) root(degree *node, i, depth int) (*node, int) {
	arg, next := p.product(p.skipOf(i), depth+1)
	if arg == nil {
		return nil, i
	}
	return op2("**", arg, op2("/", num("1"), degree)), next
}

// powerOf reads "… power of x".
func (p *exprParser) powerOf(exp *node, i, depth int) (*node, int) {
	base, next := p.operand(p.skipOf(i), depth+1)
	if base == nil {
		return nil, i
	}
	return op2("**", base, exp), next
}

// constant reads π, e and the words for them.
func (p *exprParser) constant(i int) (string, bool) {
	if i >= len(p.ts) || (p.ts[i].kind != tokWord && p.ts[i].kind != tokHan) {
		return "", false
	}
	c, ok := p.lex.constants[p.ts[i].text]
	return c, ok
}

// function reads a call in brackets: sqrt(2), max(1, 2), pow(2, 16).
func (p *exprParser) function(i, depth int) (*node, int) {
	name := p.text(i)
	if p.ts[i].kind != tokWord || p.text(i+1) != "(" || !p.lex.functions[name] {
		return nil, i
	}
	var args []*node
	for i += 2; ; i++ {
		a, next := p.sum(i, depth+1)
		if a == nil {
			return nil, i
		}
		a, next = p.degrees(name, a, next)
		args, i = append(args, a), next
		if p.text(i) == ")" {
			break
		}
		if p.text(i) != "," {
			return nil, i
		}
	}
	if name == "pow" && len(args) == 2 {
		return op2("**", args[0], args[1]), i + 1
	}
	if len(args) == 1 {
		return apply(name, args[0]), i + 1
	}
	return call(name, args...), i + 1
}

// degrees turns an angle in degrees into what the function takes, written as
// the conversion, not worked out.
func (p *exprParser) degrees(fn string, arg *node, i int) (*node, int) {
	if fn != "sin" && fn != "cos" && fn != "tan" {
		return arg, i
	}
	switch p.text(i) {
	case "°", "度", "degrees", "degree", "deg":
		return op2("/", op2("*", arg, &node{op: "const", text: "pi"}), num("180")), i + 1
	case "radians", "rad", "弧度":
		return arg, i + 1
	}
	return arg, i
}

// special reads operands that no phrase describes: 百分之二十, 以 2 为底 8 的对数,
// "log base 10 of 1000", "a third of 90", "fourth root of 16".
func (p *exprParser) special(i, depth int) (*node, int) {
	switch p.text(i) {
	case "百分之":
		if n, next := p.operand(i+1, depth+1); n != nil {
			return percent(n), next
		}
	case "percent", "percentage":
		return p.shareAsked(i, depth)
	case "以", "log":
		return p.logarithm(i, depth)
	case "a", "an", "one":
		if d := p.lex.ordinal[p.text(i+1)]; d != "" && p.text(i+2) == "of" {
			f := op2("/", num("1"), num(d))
			f.text = "part"
			return f, i + 2
		}
	}
	if d := p.lex.ordinal[p.text(i)]; d != "" {
		switch {
		case p.text(i+1) == "root":
			return p.root(num(d), i+2, depth)
		case p.phraseAt(i+1, "power", "of"):
			return p.powerOf(num(d), i+3, depth)
		}
	}
	return nil, i
}

// logarithm reads a logarithm with its base.
func (p *exprParser) logarithm(i, depth int) (*node, int) {
	chinese := p.text(i) == "以"
	if !chinese {
		if p.text(i+1) != "base" && p.text(i+1) != "to" {
			return nil, i
		}
		i++
		if p.text(i+1) == "base" {
			i++
		}
	}
	base, next := p.operand(i+1, depth+1)
	if base == nil || (chinese && p.text(next) != "为底") {
		return nil, i
	}
	for next++; p.text(next) == "的" || p.text(next) == "of"; next++ {
	}
	if !chinese && p.text(next-1) != "of" {
		return nil, i
	}
	arg, end := p.plain(next, depth)
	if arg == nil {
		return nil, i
	}
	if g, n := p.at(end); g.kind == gramPost && g.op == "log" {
		end += n
	}
	return logOf(arg, base), end
}

// logOf writes a logarithm to a base with the functions that tools have.
func logOf(arg, base *node) *node {
	switch base.text {
	case "2", "10":
		return call("log"+base.text, arg)
	case "e":
		return call("log", arg)
	}
	return op2("/", call("log", arg), call("log", base))
}

// plain reads an operand without what may stand behind it.
func (p *exprParser) plain(i, depth int) (*node, int) {
	if p.isNum(i) {
		return num(p.text(i)), i + 1
	}
	return p.operand(i, depth+1)
}

// list reads the items of "the sum of 3, 4 and 5".
func (p *exprParser) list(op string, i, depth int) (*node, int) {
	var items []*node
	for {
		item, next := p.product(p.skipFill(i), depth)
		if item == nil {
			break
		}
		items, i = append(items, item), next
		g, n := p.at(i)
		if g.kind != gramSep && p.text(i) != "to" || n == 0 && p.text(i) != "to" {
			break
		}
		if n == 0 {
			n = 1
		}
		if g2, n2 := p.at(i + n); g2.kind == gramSep {
			n += n2
		}
		if !p.operandAt(p.skipFill(i+n)) && p.text(i+n) != "-" {
			break
		}
		i += n
	}
	switch {
	case len(items) > 1:
		return foldList(op, items), i
	case len(items) == 1 && op == "%" && items[0].op == "/":
		return op2("%", items[0].args[0], items[0].args[1]), i
	}
	return nil, i
}

// verb reads the operands of "add 3 to 4", "subtract 5 from 12", "raise 2 to
// the power of 10", "increase 200 by 10%".
func (p *exprParser) verb(op string, i, depth int) (*node, int) {
	a, i := p.sum(p.skipFill(i), depth)
	if a == nil {
		return nil, i
	}
	items := []*node{a}
	sep := ""
	for {
		g, n := p.at(i)
		word := p.text(i)
		if !strings.Contains(" to from by and with , into ", " "+word+" ") || word == "" {
			break
		}
		if n == 0 {
			n = 1
		}
		if g2, n2 := p.at(i + n); g.kind == gramSep && g2.kind == gramSep {
			n += n2
		}
		b, next := p.product(p.skipFill(i+n), depth)
		if b == nil {
			break
		}
		sep = word
		items, i = append(items, b), next
	}
	if len(items) < 2 {
		return nil, i
	}
	return joinVerb(op, sep, items), i
}

func joinVerb(op, sep string, items []*node) *node {
	a, b := items[0], items[1]
	switch op {
	case "subtract":
		if sep == "from" {
			return op2("-", b, a)
		}
		return foldList("-", items)
	case "multiply":
		return foldList("*", items)
	case "divide":
		if sep == "into" {
			return op2("/", b, a)
		}
		return op2("/", a, b)
	case "raise":
		return op2("**", a, b)
	case "increase":
		return plusMinus("+", a, b)
	case "decrease":
		return plusMinus("-", a, b)
	}
	return foldList("+", items)
}

// postfix reads one thing said behind an operand: squared, !, %, 的 16 次方, 的 20%.
func (p *exprParser) postfix(n *node, i int) (int, *node) {
	if i >= len(p.ts) {
		return i, n
	}
	g, k := p.at(i)
	if post, ok := p.lex.grammar["post "+p.text(i)]; ok {
		g, k = post, 1
	}
	switch {
	case g.kind == gramPost:
		if g.op == "sin" || g.op == "cos" || g.op == "tan" {
			n, _ = p.degrees(g.op, n, i-1)
		}
		return i + k, apply(g.op, n)
	case p.text(i) == "%" && p.ts[i].kind == tokSym && (p.percentAt(i) || !p.operandAt(i+1)):
		return i + 1, percent(n)
	case p.text(i) == "!" && p.factorialAt(i):
		return i + 1, call("factorial", n)
	case p.text(i) == "度" || p.text(i) == "°":
		if g, k := p.at(i + 1); g.kind == gramPost && (g.op == "sin" || g.op == "cos" || g.op == "tan") {
			n, _ = p.degrees(g.op, n, i)
			return i + 1 + k, apply(g.op, n)
		}
	case p.text(i) == "的" || p.isNum(i):
		return p.chinesePower(n, i)
	}
	return i, n
}

// factorialAt tells the sign of the factorial from the end of a sentence.
func (p *exprParser) factorialAt(i int) bool {
	if !p.ts[i].glued {
		return false
	}
	if i+1 >= len(p.ts) {
		return i < 2 || p.ts[i-2].kind != tokSym && p.ts[i-2].kind != tokNum
	}
	g, _ := p.infix(i + 1)
	s := p.text(i + 1)
	return g.kind == gramInfix || s == ")" || s == "=" || s == "?" || p.ts[i+1].kind == tokHan || s == "," || s == "is"
}

// chinesePower reads 的 16 次方, 16 次方, 的 3 倍, 的 20%, 的三分之一.
func (p *exprParser) chinesePower(n *node, i int) (int, *node) {
	j := i
	if p.text(j) == "的" {
		j++
	}
	if p.text(j) == "百分之" && p.isNum(j+1) && j > i {
		return j + 2, op2("*", n, percent(num(p.text(j+1))))
	}
	if !p.isNum(j) {
		return i, n
	}
	m := num(p.text(j))
	switch p.text(j + 1) {
	case "次方", "次幂":
		return j + 2, op2("**", n, m)
	case "倍":
		return j + 2, op2("*", n, m)
	case "%":
		if j > i {
			return j + 2, op2("*", n, percent(m))
		}
	case "分之":
		if p.isNum(j+2) && j > i {
			return j + 3, op2("*", n, op2("/", num(p.text(j+2)), m))
		}
	}
	return i, n
}

// nthRootBehind reads 的 4 次方根.
func (p *exprParser) nthRootBehind(n *node, i int) (*node, int) {
	j := i
	if p.text(j) == "的" {
		j++
	}
	if p.isNum(j) && p.text(j+1) == "次方根" {
		return op2("**", n, op2("/", num("1"), num(p.text(j)))), j + 2
	}
	return nil, i
}
