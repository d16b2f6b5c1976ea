package demo

// calculation is one calculation that a text asks for.
type calculation struct {
	n          *node
	start, end int // tokens
}

// findCalculations returns the calculations in ts, in order. A text that
// breaks off behind an operator yields none: a wrong call would be worse than
// saying that the text was not understood.
func findCalculations(ts []token) []calculation {
	if !worthParsing(ts) {
		return nil
	}
	p := newExprParser(lexicon(), ts)
	var out []calculation
	for i := 0; i < len(ts); {
		n, end := p.sum(i, 0)
		if n == nil || n.ops() == 0 || n.isPercent() || end <= i {
			i++
			continue
		}
		if p.dangling(i, end) {
			return nil
		}
		if meant(ts, n, i, end) {
			out = append(out, calculation{n, i, end})
		}
		i = end
	}
	return out
}

// worthParsing keeps texts without any number or constant out of the parser.
func worthParsing(ts []token) bool {
	for _, t := range ts {
		if t.kind == tokNum {
			return true
		}
		if t.kind == tokWord && (t.text == "pi" || t.text == "e" || t.text == "π") || t.text == "圆周率" {
			return true
		}
	}
	return false
}

// dangling reports whether an operator that got no operand stands next to the
// tokens [start, end).
func (p *exprParser) dangling(start, end int) bool {
	if g, n := p.infix(end); n > 0 && g.op != "%" && !wordInfix(g.op, p.text(end)) {
		return true
	}
	if start == 0 {
		return false
	}
	prev := p.ts[start-1]
	if prev.kind == tokSym {
		switch prev.text {
		case "*", "**", "/", "//", "^", "√":
			return true
		}
	}
	return false
}

// wordInfix tells words that are operators only between numbers: "over" and
// "to the" say nothing when no number follows.
func wordInfix(op, text string) bool {
	return text == "over" || text == "less" || text == "times" || op == "**" && text == "to" || text == "to the" || text == "除" || text == "x"
}

// meant reports whether a calculation is asked for rather than a date, a range
// or a version that happens to hold signs.
func meant(ts []token, n *node, start, end int) bool {
	if hasWordOperator(ts[start:end]) {
		return true
	}
	if looksLikeDate(ts[start:end]) {
		return false
	}
	rest, words := 0, 0
	for i, t := range ts {
		if i >= start && i < end {
			continue
		}
		if asksForResult(t.text) {
			return true
		}
		if (t.kind == tokWord || t.kind == tokHan) && !inWords("please hey hi ok so and then 请 请问 帮我 那 再", t.text) {
			words++
		}
		if t.kind == tokWord && !lexicon().stop[t.text] || t.kind == tokHan && !lexicon().stop[t.text] {
			rest++
		}
	}
	if words > 0 && n.ops() == 1 && (n.op == "-" || n.op == "/") && !spaced(ts[start:end]) {
		return false // 5/6, 24/7, 555-1234
	}
	return rest <= 1 || spaced(ts[start:end]) && n.ops() > 0 || n.ops() > 1
}

// asksForResult holds the words that ask for a value.
func asksForResult(w string) bool {
	switch w {
	case "what", "what's", "whats", "calculate", "compute", "evaluate", "solve", "equals", "equal", "=", "result", "much", "many",
		"计算", "计算一下", "算", "算算", "算一下", "等于", "多少", "结果", "求", "几", "得":
		return true
	}
	return false
}

// hasWordOperator reports whether an operation is said in words.
func hasWordOperator(ts []token) bool {
	lex := lexicon()
	for i := range ts {
		if ts[i].kind != tokWord && ts[i].kind != tokHan {
			continue
		}
		if g, n := lex.phrase(ts, i); n > 0 && g.kind != gramFill && g.kind != gramSep {
			return true
		}
		switch ts[i].text {
		case "次方", "次幂", "次方根", "倍", "分之", "百分之", "of", "的":
			return true
		}
	}
	return false
}

// looksLikeDate recognises 2026-01-31 and 1/31/2026.
func looksLikeDate(ts []token) bool {
	if len(ts) != 5 {
		return false
	}
	for i, t := range ts {
		if i%2 == 0 && (t.kind != tokNum || len(t.text) > 4) {
			return false
		}
		if i%2 == 1 && (t.text != "-" && t.text != "/" || !t.glued || t.text != ts[1].text) {
			return false
		}
	}
	return len(ts[0].text) == 4 || len(ts[4].text) == 4
}

// spaced reports whether the signs stand free, as people write sums.
func spaced(ts []token) bool {
	for _, t := range ts[1:] {
		if t.kind == tokSym && t.text != ")" && t.text != "%" && !t.glued {
			return true
		}
	}
	return false
}
