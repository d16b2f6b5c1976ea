package demo

import "strings"

// operationTable lists the words for each operation: names of tools and values
// of enumerations.
const operationTable = `
+ : add adds added plus addition sum summe addieren addiere sumar suma somme additionner additionne + 加 加法 相加 求和 足し算
- : subtract sub subtraction minus difference diff subtrahieren subtrahiere restar resta soustraire - − 减 减法 相减 引き算
* : multiply mul mult times multiplication product multiplizieren multipliziere multiplicar multiplier * × x 乘 乘法 相乘 掛け算
/ : divide div division quotient dividieren dividiere dividir diviser / ÷ 除 除法 相除 割り算
** : power pow exponent exponentiate exponentiation potenz potenzieren potencia puissance raise ** ^ 幂 乘方 次方 求幂
% : mod modulo remainder rest resto % 余 取余 取模 求余
sqrt : sqrt squareroot square_root root wurzel quadratwurzel raiz raíz racine 平方根 开方 根号
factorial : factorial fact fakultät fakultaet 阶乘
abs : abs absolute 绝对值
sin : sin sine 正弦
cos : cos cosine 余弦
tan : tan tangent 正切
log : log ln logarithm 对数
log10 : log10
log2 : log2
max : max maximum 最大值
min : min minimum 最小值
round : round 四舍五入
floor : floor 向下取整
ceil : ceil ceiling 向上取整`

func (l *lexiconData) addOperations() {
	l.synonyms = map[string]string{}
	for line := range strings.Lines(operationTable) {
		op, words, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if !ok {
			continue
		}
		for _, w := range strings.Fields(words) {
			l.synonyms[w] = op
		}
	}
}

// operationOf is the operation that a word stands for, "" when none.
func operationOf(word string) string {
	w := strings.ToLower(strings.TrimSpace(word))
	if op := lexicon().synonyms[w]; op != "" {
		return op
	}
	return lexicon().synonyms[strings.Join(splitName(w), "")]
}

// operationParam is the parameter that chooses the operation.
func (t *offered) operationParam() (param, bool) {
	for _, p := range t.params {
		if !p.s.is("string") || p.s.numeric() {
			continue
		}
		known := 0
		for _, w := range p.operationWords() {
			if operationOf(w) != "" {
				known++
			}
		}
		if known >= 2 || known == 1 && len(p.s.enum) > 0 && t.concepts().has(conceptMath|conceptCalc) {
			return p, true
		}
		if p.roles&roleOp != 0 && len(p.s.enum) == 0 && t.concepts().has(conceptMath|conceptCalc) && !t.takesExpression(p) {
			return p, true
		}
	}
	return param{}, false
}

// operationWords are the values that p names: its enumeration, else what its
// description lists.
func (p param) operationWords() []string {
	var out []string
	for _, e := range p.s.enum {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	if len(out) > 0 || p.roles&roleOp == 0 {
		return out
	}
	for _, item := range listed(p.s.desc) {
		out = append(out, item)
		out = append(out, strings.FieldsFunc(item, func(r rune) bool { return r == ' ' || r == '(' || r == '（' || r == ')' })...)
	}
	return out
}

// operationWord is the tool's own word for op.
func (p param) operationWord(op string) (string, bool) {
	words := p.operationWords()
	for _, w := range words {
		if operationOf(w) == op {
			return w, true
		}
	}
	// Integer division and remainder have no stand-in; for a free text the
	// usual English word is given.
	if len(words) > 0 {
		return "", false
	}
	switch op {
	case "+":
		return "add", true
	case "-":
		return "subtract", true
	case "*":
		return "multiply", true
	case "/":
		return "divide", true
	case "**":
		return "power", true
	}
	return "", false
}

// operationOfName is the operation that the tool is named after.
func (t *offered) operationOfName() string {
	for _, p := range t.params {
		if p.required && !p.s.is("number") && !p.s.declares("array") {
			return ""
		}
	}
	if op := operationOf(t.name); op != "" {
		return op
	}
	found := ""
	for _, w := range t.nameWords {
		op := operationOf(w)
		switch {
		case op != "" && (found == "" || op == found):
			found = op
		case !inWords(numberWords, w) && !t.concepts().has(conceptMath|conceptCalc):
			return "" // add_reaction adds nothing up
		}
	}
	if found == "" || !t.onlyNumbers() {
		return ""
	}
	return found
}

// numberWords may stand beside an operation in the name of its tool.
const numberWords = "number numbers num nums two integers integer int ints float floats value values and of the up do my square tool function fn 数 两数 数字"

// onlyNumbers reports whether t needs numbers and nothing else: add_user takes
// a name and adds nothing up.
func (t *offered) onlyNumbers() bool {
	n := 0
	for _, p := range t.params {
		if p.s.numeric() || p.s.declares("array") && p.s.items != nil && p.s.items.numeric() {
			n++
		}
	}
	return n > 0
}
