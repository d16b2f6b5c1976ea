package demo

import (
	"encoding/json"
	"strings"
)

// step is one call of a task. An argument may be a ref to the result of an
// earlier step of the same task.
type step struct {
	tool *offered
	args *object
}

// ref stands for the number that an earlier step's tool answered.
type ref int

// MarshalJSON is never sent: refs are replaced before a call is made.
func (r ref) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// candidate is a way to do a task.
type candidate struct {
	tool   *offered
	steps  []step
	class  int // how closely the tool's purpose meets the request; only the best compete
	filled map[string]bool
}

// fitCalculation finds how t can be asked for n.
func (t *offered) fitCalculation(n *node) (candidate, bool) {
	for _, p := range t.params {
		if !t.takesExpression(p) {
			continue
		}
		args := &object{}
		args.set(p.name, t.dialect(p).write(n))
		if t.complete(args) {
			return candidate{tool: t, steps: []step{{t, args}}, filled: map[string]bool{p.name: true}}, true
		}
	}
	steps, ok := flatten(n, []*offered{t})
	if !ok {
		return candidate{}, false
	}
	filled := map[string]bool{}
	for _, k := range steps[0].args.keys {
		filled[k] = true
	}
	return candidate{tool: t, steps: steps, filled: filled}, true
}

// takesExpression reports whether p wants a calculation as text.
func (t *offered) takesExpression(p param) bool {
	if !p.s.is("string") || p.s.numeric() || len(p.s.enum) > 0 {
		return false
	}
	text := strings.ToLower(t.desc + " " + p.s.desc)
	for _, other := range []string{"cron", "regex", "regular expression", "正则", "glob", "sql"} {
		if strings.Contains(text, other) && !t.concepts().has(conceptMath) {
			return false
		}
	}
	strong := t.concepts().has(conceptMath) || t.inName.has(conceptCalc)
	if p.roles&roleExpr != 0 {
		shared := p.roles&(roleQuery|roleText|roleOp) != 0
		return !shared || strong || t.inDesc.has(conceptCalc)
	}
	// A calculator whose parameter has a name that says nothing.
	other := p.roles
	if other&roleText != 0 {
		other &^= roleFrom // "input" is both
	}
	return strong && t.onlyString(p) && other&(roleFrom|roleTo|roleUnit|rolePath|rolePlace|roleURL|roleOp) == 0
}

// onlyString reports whether p is the one string that t needs.
func (t *offered) onlyString(p param) bool {
	for _, q := range t.params {
		if q.name != p.name && (q.required || !p.required) {
			return false
		}
	}
	return true
}

// dialect reads from the description how the tool writes powers.
func (t *offered) dialect(p param) dialect {
	text := t.desc + " " + p.s.desc
	for _, e := range examplesOf(p) {
		text += " " + e
	}
	if !strings.Contains(text, "**") && strings.Contains(text, "^") {
		return dialect{power: "^"}
	}
	return dialect{power: "**"}
}

// complete fills what the schema itself answers (defaults of required
// parameters, enumerations of one) and reports whether the call may be made.
func (t *offered) complete(args *object) bool {
	for _, p := range t.params {
		if _, ok := args.vals[p.name]; ok || !p.required {
			continue
		}
		switch {
		case p.s.def != nil:
			args.set(p.name, p.s.def)
		case len(p.s.enum) == 1:
			args.set(p.name, p.s.enum[0])
		}
	}
	if _, missing := t.missing(args); missing {
		return false
	}
	args.order(t)
	return t.accepts(args) || args.hasRef()
}

// order puts the arguments in the order of the schema.
func (o *object) order(t *offered) {
	var keys []string
	for _, p := range t.params {
		if _, ok := o.vals[p.name]; ok {
			keys = append(keys, p.name)
		}
	}
	if len(keys) == len(o.keys) {
		o.keys = keys
	}
}

func (o *object) hasRef() bool {
	for _, v := range o.vals {
		switch v := v.(type) {
		case ref:
			return true
		case []any:
			for _, e := range v {
				if _, ok := e.(ref); ok {
					return true
				}
			}
		}
	}
	return false
}

// flatten turns n into calls of tools that take one operation each. Nothing is
// worked out: inner calls come first, outer ones use their answers.
func flatten(n *node, tools []*offered) ([]step, bool) {
	var steps []step
	if _, ok := flattenInto(&steps, n, tools); !ok || len(steps) == 0 {
		return nil, false
	}
	return steps, true
}

// maxSteps bounds how many calls one calculation may take.
const maxSteps = 12

func flattenInto(steps *[]step, n *node, tools []*offered) (any, bool) {
	switch n.op {
	case "num":
		return json.Number(n.text), true
	case "neg":
		if n.args[0].op == "num" {
			return json.Number("-" + n.args[0].text), true
		}
		return nil, false
	case "const":
		return nil, false
	}
	var operands []any
	for _, a := range n.args {
		v, ok := flattenInto(steps, a, tools)
		if !ok {
			return nil, false
		}
		operands = append(operands, v)
	}
	if len(*steps) >= maxSteps {
		return nil, false
	}
	for _, t := range tools {
		args, ok := t.operate(n.op, operands)
		if ok {
			*steps = append(*steps, step{t, args})
			return ref(len(*steps) - 1), true
		}
	}
	return nil, false
}

// operate builds the arguments for one operation, when t does such operations.
func (t *offered) operate(op string, operands []any) (*object, bool) {
	args := &object{}
	opParam, ok := t.operationParam()
	switch {
	case ok:
		word, ok := opParam.operationWord(op)
		if !ok {
			return nil, false
		}
		args.set(opParam.name, word)
	case t.operationOfName() != op:
		return nil, false
	}
	if !t.setOperands(args, operands) {
		return nil, false
	}
	return args, t.complete(args)
}

// setOperands gives the operands to the number parameters, in their order.
func (t *offered) setOperands(args *object, operands []any) bool {
	var slots []param
	for _, p := range t.params {
		if _, taken := args.vals[p.name]; taken {
			continue
		}
		if p.s.declares("array") && (p.s.items == nil || p.s.items.is("number")) {
			args.set(p.name, operands)
			return true
		}
		if p.s.numeric() || p.required && p.s.is("number") || p.s.is("string") && p.roles&(roleFirst|roleSecond) != 0 {
			slots = append(slots, p)
		}
	}
	if len(slots) < len(operands) {
		return false
	}
	// Parameters called first and second keep their places even when the
	// schema lists them the other way round.
	if len(operands) == 2 && slots[0].roles&roleSecond != 0 && slots[0].roles&roleFirst == 0 && slots[1].roles&roleFirst != 0 {
		slots[0], slots[1] = slots[1], slots[0]
	}
	for i, v := range operands {
		if n, ok := v.(json.Number); ok && !slots[i].s.is("number") && !slots[i].s.is("integer") {
			v = n.String()
		}
		args.set(slots[i].name, v)
	}
	return true
}
