package demo

import "strings"

// exprParser reads a calculation from tokens of either language. Operators
// bind as in arithmetic. Where speech leaves the scope open it follows the
// habit of speakers: "the square root of" takes the whole product behind it,
// 的平方根 the whole product before it; powers take only their neighbour.
type exprParser struct {
	ts    []token
	lex   *lexiconData
	steps int // work left, so that no prompt costs more than its length allows
}

const (
	maxExprDepth = 60
	stepsPerWord = 200
)

func newExprParser(l *lexiconData, ts []token) *exprParser {
	return &exprParser{ts: ts, lex: l, steps: stepsPerWord * (len(ts) + 10)}
}

// at returns what the grammar makes of the tokens at i.
func (p *exprParser) at(i int) (gram, int) {
	if i >= len(p.ts) {
		return gram{}, 0
	}
	return p.lex.phrase(p.ts, i)
}

func (p *exprParser) text(i int) string {
	if i < 0 || i >= len(p.ts) {
		return ""
	}
	return p.ts[i].text
}

func (p *exprParser) isNum(i int) bool { return i < len(p.ts) && p.ts[i].kind == tokNum }

// skipFill passes words that say nothing.
func (p *exprParser) skipFill(i int) int {
	for {
		g, n := p.at(i)
		if g.kind != gramFill || n == 0 {
			return i
		}
		i += n
	}
}

// sum reads terms joined by plus and minus, and whatever is said about the
// whole of them.
func (p *exprParser) sum(i, depth int) (*node, int) {
	left, i := p.product(i, depth)
	for left != nil {
		if part, next := p.share(left, i, depth); part != nil {
			left, i = part, next
			continue
		}
		if next, node := p.thenInfix(left, i, depth); node != nil {
			left, i = node, next
			continue
		}
		g, n := p.infix(i)
		if n > 0 && (g.op == "+" || g.op == "-" || g.op == "rsub") {
			right, next := p.product(i+n, depth+1)
			if right == nil {
				return left, i
			}
			left, i = plusMinus(g.op, left, right), next
			continue
		}
		if next, node := p.afterSum(left, i, depth); node != nil {
			left, i = node, next
			continue
		}
		return left, i
	}
	return nil, i
}

// plusMinus joins two terms; "plus ten percent" is of the term before it.
func plusMinus(op string, a, b *node) *node {
	if op == "rsub" {
		return op2("-", b, a)
	}
	if b.isPercent() && !a.isPercent() {
		return op2("*", a, op2(op, num("1"), b))
	}
	return op2(op, a, b)
}

// afterSum reads what stands behind a complete sum and takes all of it: a list
// that goes on (3 和 4 的和), an absolute value, a factor behind 的和.
func (p *exprParser) afterSum(left *node, i, depth int) (int, *node) {
	g, n := p.at(i)
	switch g.kind {
	case gramPostAll:
		return i + n, apply(g.op, left)
	case gramPostList:
		if n > 0 && (left.op == g.op || g.op == "%" && left.op == "/") {
			if g.op == "%" {
				left = op2("%", left.args[0], left.args[1])
			}
			return p.afterGroup(left, i+n, depth)
		}
	case gramSep:
		if node, next := p.postList(left, i, depth); node != nil {
			return p.afterGroup(node, next, depth)
		}
	}
	return i, nil
}

// afterGroup reads what is done with a group that words have closed.
func (p *exprParser) afterGroup(n *node, i, depth int) (int, *node) {
	if next, post := p.postfix(n, i); next > i {
		n, i = post, next
	}
	if g, k := p.at(i); g.kind == gramPostWide {
		n, i = apply(g.op, n), i+k
	}
	g, k := p.infix(i)
	if k == 0 || precedence(g.op) < 2 || depth > maxExprDepth {
		return i, n
	}
	right, next := p.unary(i+k, depth+1)
	if right == nil {
		return i, n
	}
	return next, binary(g.op, n, right)
}

// postList reads the rest of a list whose operation comes last.
func (p *exprParser) postList(first *node, i, depth int) (*node, int) {
	items := []*node{first}
	for {
		g, n := p.at(i)
		if n > 0 && g.kind == gramPostList && len(items) > 1 {
			return foldList(g.op, items), i + n
		}
		if g.kind != gramSep || n == 0 {
			return nil, i
		}
		// ", and" is one separator.
		if g2, n2 := p.at(i + n); g2.kind == gramSep {
			n += n2
		}
		item, next := p.product(i+n, depth+1)
		if item == nil {
			return nil, i
		}
		items, i = append(items, item), next
	}
}

// infix returns the operator at i, if the sign there is one.
func (p *exprParser) infix(i int) (gram, int) {
	if p.text(i) == "%" && p.ts[i].kind == tokSym {
		if p.operandAt(i+1) && !p.percentAt(i) {
			return gram{gramInfix, "%"}, 1
		}
		return gram{}, 0
	}
	g, n := p.at(p.skipNoun(i))
	if g.kind != gramInfix {
		return gram{}, 0
	}
	return g, n + p.skipNoun(i) - i
}

// skipNoun passes what was counted (3 apples plus 4 apples): at most four
// unknown words, and only when an operator follows.
func (p *exprParser) skipNoun(i int) int {
	j := i
	for k := 0; k < 5 && j < len(p.ts); k++ {
		g, n := p.at(j)
		switch {
		case g.kind == gramInfix:
			return j
		case g.kind == gramFill:
			j += n
		case n == 0 && (p.ts[j].kind == tokWord || p.ts[j].kind == tokHan) && !p.lex.stop[p.ts[j].text]:
			j++
		default:
			return i
		}
	}
	return i
}

// skipKind passes up to two words that say what a share is of ("7% tax on").
func (p *exprParser) skipKind(i int) int {
	for j := i; j <= i+2 && j < len(p.ts); j++ {
		if w := p.text(j); w == "of" || w == "on" || w == "的" {
			return j
		}
		if p.ts[j].kind != tokWord || p.lex.stop[p.text(j)] {
			break
		}
	}
	return i
}

// operandAt reports whether an operand begins at i.
func (p *exprParser) operandAt(i int) bool {
	if i >= len(p.ts) {
		return false
	}
	if p.ts[i].kind == tokNum || p.ts[i].text == "(" {
		return true
	}
	if _, ok := p.constant(i); ok {
		return true
	}
	g, _ := p.at(i)
	return g.kind == gramPrefix || g.kind == gramWide
}

// percentAt tells the percent sign from the sign of the remainder, at i: glued
// to its number and with a space behind, it is a percentage.
func (p *exprParser) percentAt(i int) bool {
	return p.ts[i].glued && i+1 < len(p.ts) && !p.ts[i+1].glued
}

// product reads factors.
func (p *exprParser) product(i, depth int) (*node, int) {
	left, i := p.unary(i, depth)
	for left != nil {
		g, n := p.at(i)
		if g.kind == gramPostWide {
			left, i = apply(g.op, left), i+n
			continue
		}
		if root, next := p.nthRootBehind(left, i); root != nil {
			left, i = root, next
			continue
		}
		if g, n := p.infix(i); n > 0 && precedence(g.op) == 2 || n > 0 && g.op == "rdiv" {
			right, next := p.unary(i+n, depth+1)
			if right == nil {
				return left, i
			}
			left, i = binary(g.op, left, right), next
			continue
		}
		right, next := p.ofFactor(left, i, depth)
		if right == nil {
			return left, i
		}
		left, i = op2("*", left, right), next
	}
	return nil, i
}

func binary(op string, a, b *node) *node {
	if op == "rdiv" {
		return op2("/", b, a)
	}
	return op2(op, a, b)
}

// ofFactor reads the factor in "15% of 80", "two thirds of 90", "2π", 3(4+5) and
// 200 打八折.
func (p *exprParser) ofFactor(left *node, i, depth int) (*node, int) {
	if i >= len(p.ts) {
		return nil, i
	}
	if left.isPercent() || left.text == "part" {
		if j := p.skipKind(i); p.text(j) == "of" || p.text(j) == "on" || p.text(j) == "的" {
			return p.unary(j+1, depth+1)
		}
	}
	if left.isPercent() && p.text(i) == "off" {
		whole, next := p.unary(p.skipOf(i+1), depth+1)
		if whole == nil {
			return nil, i
		}
		// "20% off 250": what is left of it.
		left.args, left.op, left.text = []*node{num("1"), percent(left.args[0])}, "-", ""
		return whole, next
	}
	if p.text(i) == "打" && p.isNum(i+1) && p.text(i+2) == "折" {
		return op2("/", num(p.text(i+1)), num("1"+strings.Repeat("0", len(p.text(i+1))))), i + 3
	}
	if left.op != "num" && left.op != "/" && left.op != "*" {
		return nil, i
	}
	if _, ok := p.constant(i); ok && left.op != "/" && p.text(i) != "e" {
		return p.power(i, depth+1)
	}
	if p.text(i) == "(" && p.ts[i].glued && left.op == "num" {
		return p.power(i, depth+1)
	}
	return nil, i
}

// unary reads a sign.
func (p *exprParser) unary(i, depth int) (*node, int) {
	if p.steps--; depth > maxExprDepth || p.steps < 0 {
		return nil, i
	}
	i = p.skipFill(i)
	switch p.text(i) {
	case "-", "minus", "negative", "负":
		n, next := p.unary(i+1, depth+1)
		if n == nil {
			return nil, i
		}
		return call("neg", n), next
	case "+":
		return p.unary(i+1, depth+1)
	}
	return p.power(i, depth)
}

// power reads a base with its exponent.
func (p *exprParser) power(i, depth int) (*node, int) {
	if p.steps--; depth > maxExprDepth || p.steps < 0 {
		return nil, i
	}
	base, i := p.operand(i, depth)
	for base != nil {
		if next, n := p.postfix(base, i); next > i {
			base, i = n, next
			continue
		}
		g, n := p.infix(i)
		if n == 0 || g.op != "**" {
			return base, i
		}
		exp, next := p.exponent(i+n, depth+1)
		if exp == nil {
			return base, i
		}
		base, i = op2("**", base, exp), next
	}
	return nil, i
}

// exponent reads "16", "the 16th power", "-1".
func (p *exprParser) exponent(i, depth int) (*node, int) {
	i = p.skipFill(i)
	if i < len(p.ts) && p.lex.ordinal[p.text(i)] != "" {
		return num(p.lex.ordinal[p.text(i)]), p.skipPower(i + 1)
	}
	n, next := p.unary(i, depth)
	if n == nil {
		return nil, i
	}
	if s := p.text(next); next < len(p.ts) && p.ts[next].glued && (s == "th" || s == "st" || s == "nd" || s == "rd") {
		next++
	}
	return n, p.skipPower(next)
}

func (p *exprParser) skipPower(i int) int {
	if p.text(i) == "power" {
		return i + 1
	}
	return i
}
