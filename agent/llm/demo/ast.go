package demo

import (
	"strconv"
	"strings"
)

// node is a calculation as it was understood. op is "num", "const", a binary
// operator, "neg", or the name of a function.
type node struct {
	op   string
	text string // of num and const
	args []*node
}

func num(text string) *node                 { return &node{op: "num", text: text} }
func op2(op string, a, b *node) *node       { return &node{op: op, args: []*node{a, b}} }
func call(name string, args ...*node) *node { return &node{op: name, args: args} }

// percent is n hundredths, written as a division so that nothing is worked out.
func percent(n *node) *node {
	p := op2("/", n, num("100"))
	p.text = "%"
	return p
}

func (n *node) isPercent() bool { return n.op == "/" && n.text == "%" }

// ops counts the operations in n: a number alone is no calculation.
func (n *node) ops() int {
	if n == nil {
		return 0
	}
	c := 0
	if n.op != "num" && n.op != "const" && n.op != "neg" {
		c = 1
	}
	for _, a := range n.args {
		c += a.ops()
	}
	return c
}

// precedence of operators, as Python orders them; functions bind tightest.
func precedence(op string) int {
	switch op {
	case "+", "-":
		return 1
	case "*", "/", "//", "%":
		return 2
	case "neg":
		return 3
	case "**":
		return 4
	}
	return 5
}

// dialect is how a tool wants expressions to be written.
type dialect struct {
	power string // "**" or "^"
}

// write puts n down as text for a tool.
func (d dialect) write(n *node) string {
	var b strings.Builder
	d.put(&b, n)
	return b.String()
}

func (d dialect) put(b *strings.Builder, n *node) {
	switch n.op {
	case "num", "const":
		b.WriteString(n.text)
	case "neg":
		b.WriteByte('-')
		d.operand(b, n.args[0], precedence("neg"))
	case "+", "-", "*", "/", "//", "%":
		p := precedence(n.op)
		d.operand(b, n.args[0], p)
		b.WriteString(n.op)
		d.operand(b, n.args[1], p+1)
	case "**":
		d.operand(b, n.args[0], 5)
		b.WriteString(d.power)
		d.operand(b, n.args[1], 3)
	default:
		b.WriteString(n.op)
		b.WriteByte('(')
		for i, a := range n.args {
			if i > 0 {
				b.WriteString(", ")
			}
			d.put(b, a)
		}
		b.WriteByte(')')
	}
}

// operand writes n in brackets when it binds less tightly than its place needs.
func (d dialect) operand(b *strings.Builder, n *node, least int) {
	if precedence(n.op) < least {
		b.WriteByte('(')
		d.put(b, n)
		b.WriteByte(')')
		return
	}
	d.put(b, n)
}

// apply builds the operation that a word of the grammar stands for.
func apply(op string, a *node) *node {
	switch op {
	case "square":
		return op2("**", a, num("2"))
	case "cube":
		return op2("**", a, num("3"))
	case "cbrt":
		return op2("**", a, op2("/", num("1"), num("3")))
	case "percent":
		return percent(a)
	case "half":
		return op2("/", a, num("2"))
	case "double":
		return op2("*", num("2"), a)
	case "triple":
		return op2("*", num("3"), a)
	case "exp":
		return op2("**", &node{op: "const", text: "e"}, a)
	case "ln":
		return call("log", a)
	case "lg":
		return call("log10", a)
	}
	return call(op, a)
}

// fold joins the items of a list (the sum of …).
func foldList(op string, items []*node) *node {
	switch op {
	case "max", "min":
		return call(op, items...)
	case "sumsq":
		squares := make([]*node, len(items))
		for i, it := range items {
			squares[i] = op2("**", it, num("2"))
		}
		return foldList("+", squares)
	case "avg":
		return op2("/", foldList("+", items), num(itemCount(items)))
	}
	n := items[0]
	for _, it := range items[1:] {
		n = op2(op, n, it)
	}
	return n
}

// itemCount is how many items a list has, as text: the divisor of a mean.
func itemCount(items []*node) string { return strconv.Itoa(len(items)) }
