package demo

import "strings"

// gramKind is the part that a phrase plays in arithmetic.
type gramKind uint8

const (
	gramInfix    gramKind = iota + 1
	gramPrefix            // function in front of one tight operand: sin, √
	gramWide              // function in front of a whole product: the square root of
	gramPost              // function behind one operand: squared, 的阶乘
	gramPostWide          // function behind a whole product: 的平方根
	gramPostAll           // function behind a whole sum: 的绝对值
	gramList              // function in front of a list: the sum of
	gramPostList          // function behind a list: 的和, 相乘
	gramVerb              // verb with two operands: add … to …
	gramSep               // between the items of a list
	gramFill              // says nothing
)

type gram struct {
	kind gramKind
	op   string
}

// grammarTable lists the phrases of arithmetic: kind, operation, phrases.
// Phrases are tokens with a space between; Chinese ones are words of the text.
const grammarTable = `
infix + : + | plus | added to | 加 | 加上 | 加到 | 增加 | 上涨 | 提高
infix - : - | minus | less | 减 | 减去 | 减掉 | 减少 | 降低 | 下降
infix * : * | times | x | multiplied by | multiplied with | 乘 | 乘以 | 乘上 | 乘于
infix / : / | divided by | over | 除以 | 除于 | 平均分成 | 平均分给 | 平分成 | 平分给 | 等分成 | 分成
infix rdiv : 除
infix rsub : subtracted from | taken from
infix // : //
infix % : mod | modulo | 模 | 取模 | 取余
infix ** : ** | ^ | to the power of | to the power | raised to the power of | raised to the power | raised to | raised by | to the
prefix sqrt : sqrt | √ | 根号 | 开根号
prefix cbrt : cbrt
prefix sin : sin | sine of | sine | sin of | 正弦
prefix cos : cos | cosine of | cosine | cos of | 余弦
prefix tan : tan | tangent of | tangent | tan of | 正切
prefix asin : asin | arcsin | arcsine of
prefix acos : acos | arccos
prefix atan : atan | arctan
prefix log : log | ln | log of | ln of | logarithm of | natural log of | natural logarithm of
prefix log2 : log2 | log2 of | binary log of
prefix log10 : log10 | lg | common log of | log10 of
prefix exp : exp | exp of
prefix abs : abs | absolute value of | absolute of | magnitude of
prefix factorial : factorial of | factorial
prefix square : square of | square
prefix cube : cube of | cube
prefix floor : floor | floor of
prefix ceil : ceil | ceiling of | ceil of | ceiling
prefix round : round
prefix double : double | twice
prefix triple : triple | thrice
prefix half : half of | one half of
wide sqrt : square root of | sqrt of | root of | square root | squareroot of
wide cbrt : cube root of | cubic root of | third root of
post square : squared | 平方 | 的平方 | 二次方 | 的二次方
post cube : cubed | 立方 | 的立方 | 三次方 | 的三次方
post factorial : factorial | 阶乘 | 的阶乘
post percent : percent | per cent | pct
post half : 的一半 | 一半
post double : 的两倍 | 两倍 | 的二倍 | doubled
post triple : tripled
post sin : 的正弦 | 的正弦值
post cos : 的余弦 | 的余弦值
post tan : 的正切 | 的正切值
post log : 的自然对数 | 的对数
post round : 四舍五入
post floor : 向下取整
post ceil : 向上取整
postwide sqrt : 平方根 | 的平方根 | 开方 | 开平方 | 开平方根 | 的算术平方根
postwide cbrt : 立方根 | 的立方根 | 开立方
postall abs : 的绝对值 | 绝对值
list + : sum of | total of
list * : product of
list - : difference between | difference of
list / : quotient of | ratio of
list avg : average of | mean of
list max : maximum of | max of | largest of | biggest of | greatest of
list min : minimum of | min of | smallest of | least of
list sumsq : sum of the squares of | sum of squares of
list % : remainder of
postlist + : 的和 | 之和 | 的总和 | 相加 | 加起来 | 总和 | added | added together | together
postlist * : 的积 | 之积 | 的乘积 | 相乘 | 乘积
postlist - : 的差 | 之差 | 相减
postlist / : 的商 | 之商 | 相除
postlist avg : 的平均数 | 的平均值 | 平均值 | 平均数
postlist max : 中最大的 | 里最大的 | 的最大值 | 最大值
postlist min : 中最小的 | 里最小的 | 的最小值 | 最小值
postlist % : 的余数 | 余数
verb add : add
verb subtract : subtract | take
verb multiply : multiply
verb divide : divide | split
verb raise : raise
verb increase : increase
verb decrease : decrease | reduce | discount
sep , : , | and | by | with | 和 | 与 | 跟 | 同 | 及 | 以及
fill : the | number | numbers | value | result | 数 | 数字 | 把 | 将 | 用 | 元 | 块 | 块钱 | 个 | 美元 | $ | dollars | yuan | 的结果
`

// constants of arithmetic by the words for them.
const constants = "pi pi π pi 圆周率 pi e e 自然常数 e tau tau"

// functionNames may be written with brackets, as in a programming language.
const functionNames = `sqrt cbrt sin cos tan asin acos atan log ln log2 log10 lg exp abs round floor ceil
factorial min max pow gcd lcm`

// mathWords have to be words for the cutting of Chinese but are read by rules.
const mathWords = `次方 次幂 的 次方根 分之 百分之 倍 为底 以 对数 打 折 负 圆周率 自然常数 等于 多少 几 分别 度 零下`

func (l *lexiconData) addGrammar() {
	l.grammar = map[string]gram{}
	l.constants = pairs(constants)
	l.functions = map[string]bool{}
	for _, f := range strings.Fields(functionNames) {
		l.functions[f] = true
	}
	kinds := map[string]gramKind{
		"infix": gramInfix, "prefix": gramPrefix, "wide": gramWide, "post": gramPost, "postwide": gramPostWide,
		"postall": gramPostAll, "list": gramList, "postlist": gramPostList, "verb": gramVerb, "sep": gramSep, "fill": gramFill,
	}
	for line := range strings.Lines(grammarTable) {
		head, phrases, ok := strings.Cut(line, " : ")
		if !ok {
			continue
		}
		kind, op, _ := strings.Cut(head, " ")
		for _, p := range strings.Split(phrases, "|") {
			p = strings.TrimSpace(p)
			if _, taken := l.grammar[p]; taken && kinds[kind] == gramFill {
				continue
			}
			// "factorial" stands on both sides of its number.
			if old, taken := l.grammar[p]; taken && old.kind == gramPrefix && kinds[kind] == gramPost {
				l.grammar["post "+p] = gram{kinds[kind], op}
				continue
			}
			l.grammar[p] = gram{kinds[kind], op}
			l.grammarN = max(l.grammarN, strings.Count(p, " ")+1)
			l.addHan(p)
		}
	}
	for _, w := range strings.Fields(mathWords) {
		l.addHan(w)
	}
	delete(l.han, "的") // re-added as a stop word; longer words win anyway
}

// phrase returns what the longest phrase at ts[i] means and its tokens.
func (l *lexiconData) phrase(ts []token, i int) (g gram, n int) {
	key := ""
	for k := 0; k < l.grammarN && i+k < len(ts); k++ {
		t := ts[i+k]
		if t.kind == tokNum || t.kind == tokStop {
			break
		}
		if k > 0 {
			key += " "
		}
		key += t.text
		if found, ok := l.grammar[key]; ok {
			g, n = found, k+1
		}
	}
	return g, n
}
