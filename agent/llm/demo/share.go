package demo

// share reads "20 is what percent of 50" and 20 是 50 的百分之几, whose first
// number is part.
func (p *exprParser) share(part *node, i, depth int) (*node, int) {
	switch {
	case p.phraseAt(i, "is", "what", "percent", "of"), p.phraseAt(i, "is", "what", "percentage", "of"):
		if whole, next := p.product(i+4, depth+1); whole != nil {
			return inHundred(part, whole), next
		}
	case p.phraseAt(i, "是"), p.phraseAt(i, "占"):
		whole, next := p.unary(i+1, depth+1)
		if whole != nil && p.text(next) == "的" && p.text(next+1) == "百分之" && (p.text(next+2) == "几" || p.text(next+2) == "多少") {
			return inHundred(part, whole), next + 3
		}
	}
	return nil, i
}

// shareAsked reads "what percent of 50 is 20", from "percent" on.
func (p *exprParser) shareAsked(i, depth int) (*node, int) {
	if !p.phraseAt(i, "percent", "of") && !p.phraseAt(i, "percentage", "of") {
		return nil, i
	}
	whole, next := p.product(i+2, depth+1)
	if whole == nil || p.text(next) != "is" {
		return nil, i
	}
	part, end := p.product(next+1, depth+1)
	if part == nil {
		return nil, i
	}
	return inHundred(part, whole), end
}

func inHundred(part, whole *node) *node {
	return op2("*", op2("/", part, whole), num("100"))
}

// phraseAt reports whether the words stand at i.
func (p *exprParser) phraseAt(i int, words ...string) bool {
	for k, w := range words {
		if p.text(i+k) != w {
			return false
		}
	}
	return true
}

// thenInfix reads an operation on all that came before: 3 加 4 再乘以 5.
func (p *exprParser) thenInfix(left *node, i, depth int) (int, *node) {
	j := i
	for inWords("再 然后 接着 then , ，", p.text(j)) && j < len(p.ts) {
		j++
	}
	if j == i || p.text(j-1) == "," || p.text(j-1) == "，" {
		return i, nil
	}
	g, n := p.infix(j)
	if n == 0 {
		return i, nil
	}
	right, next := p.unary(j+n, depth+1)
	if right == nil {
		return i, nil
	}
	if precedence(g.op) == 1 {
		return next, plusMinus(g.op, left, right)
	}
	return next, binary(g.op, left, right)
}
