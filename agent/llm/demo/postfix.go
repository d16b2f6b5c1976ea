package demo

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
	if j := p.skipFill(i); j > i && p.text(j) == "的" {
		// 120 元的 20%
		if next, m := p.chinesePower(n, j); next > j {
			return next, m
		}
	}
	return i, n
}

// factorialAt tells the sign of the factorial from the end of a sentence.
func (p *exprParser) factorialAt(i int) bool {
	if !p.ts[i].glued {
		return false
	}
	if i+1 >= len(p.ts) {
		for _, t := range p.ts[:i] {
			if t.text == "!" && t.glued {
				return true // 5!/3!
			}
		}
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
