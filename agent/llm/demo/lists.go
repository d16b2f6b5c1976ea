package demo

import "strings"

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
		if !strings.Contains(" to from by and with , into among between ", " "+word+" ") || word == "" {
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
