package demo

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
