package demo

import "strings"

// roleSet is what a parameter may be for.
type roleSet uint32

const (
	roleExpr roleSet = 1 << iota
	roleValue
	roleFrom
	roleTo
	roleUnit
	roleText
	roleQuery
	rolePath
	rolePlace
	roleURL
	roleDate
	roleLang
	roleID
	roleName
	roleOp
	roleFirst
	roleSecond
	roleItems
	roleLimit
	roleOffset
	roleKey
	rolePerson
	roleDesc // judged by the description, not the name
)

// roleTable lists words of parameter names, in the languages that plugins are
// written in.
var roleTable = []struct {
	r     roleSet
	words string
}{
	{roleExpr, `expression expr exp formula equation calculation calc problem math arithmetic formel ausdruck rechnung gleichung term expresión expresion
		fórmula formule espressione expressão expressao calcul operación выражение формула пример 表达式 算式 公式 式子 计算式 式 数式 수식 ifade işlem islem wyrażenie wyrazenie lauseke uttryck uttrykk expressie`},
	{roleValue, `value val amount quantity number num n magnitude measure wert zahl betrag menge anzahl valeur montant nombre quantité quantite valor cantidad número
		numero monto valore quantità importo quantidade значение число количество величина 值 数值 数量 数字 金额 数 大小 値 数値 값 숫자 değer deger miktar wartość wartosc liczba arvo luku värde waarde getal`},
	{roleFrom, `from source src origin orig input von aus quelle ausgang quelleinheit ausgangseinheit quelleneinheit de desde origen depuis origine da di из исходная от 源 从 原 来源 起始 源单位
		原单位 元 変換元 kaynak z źródło zrodlo lähde från van`},
	{roleTo, `to target dest destination into output nach ziel zieleinheit zu in vers cible hacia destino hasta para в цель целевая до 目标 到 至 目标单位 变为 変換先 hedef do cel na kohde till naar doel`},
	{roleUnit, `unit units einheit einheiten unité unite unidad unità единица 单位 単位 단위 birim jednostka yksikkö enhet eenheid`},
	{roleText, `text message content phrase sentence words input string say body msg txt nachricht satz mensaje texto messaggio texte testo сообщение текст 消息 内容 文本 文字
		话 句子 信息 语句 メッセージ 文 テキスト 메시지 텍스트 mesaj metin tekst tekst bericht`},
	{roleQuery, `query q keyword keywords search term terms pattern topic question regex regexp prompt needle phrase suche suchbegriff suchwort anfrage requête requete consulta búsqueda
		busqueda ricerca запрос вопрос 查询 关键词 关键字 搜索 模式 问题 主题 搜索词 検索 クエリ 검색 질문 sorgu`},
	{rolePath, `path file filename filepath dir directory folder datei pfad verzeichnis ordner fichier chemin archivo ruta carpeta percorso файл путь 路径 文件 文件名 目录 文件夹 文件路径 ファイル パス 파일 dosya bestand`},
	{rolePlace, `city location place country region town address area where stadt ort land ville lieu pays ciudad lugar país pais luogo città citta cidade город место страна
		城市 地点 位置 地区 地名 国家 都市 場所 도시 장소 şehir sehir miasto kaupunki stad plaats`},
	{roleURL, `url link uri website href 网址 链接`},
	{roleDate, `date day when datum fecha дата 日期 日子`},
	{roleLang, `language lang sprache idioma langue lingua язык 语言 语种 言語 언어`},
	{roleID, `id uid key ident identifier slug 编号 标识 键`},
	{roleName, `name title subject label username bezeichnung titel nombre nom titre имя название 名称 名字 标题 姓名 名 名前`},
	{rolePerson, `recipient user person who receiver empfänger 收件人 用户 对象`},
	{roleOp, `operation operator op action function method operationstyp rechenart operación operacion opération операция 运算 运算符 操作 运算类型 操作符 演算 연산`},
	{roleFirst, `a x x1 a1 num1 number1 first left lhs augend minuend multiplicand dividend numerator base op1 operand1 value1 n1 zahl1 erste 数1 第一个数 被除数 被减数`},
	{roleSecond, `b y x2 b1 num2 number2 second right rhs addend subtrahend multiplier divisor denominator exponent power op2 operand2 value2 n2 zahl2 zweite 数2 第二个数 除数 减数 指数`},
	{roleItems, `items tasks todos list entries numbers values nums elements zahlen liste elementos 列表 项目 数组 数字列表 任务`},
	{roleLimit, `limit max count top lines rows n num number size length 数量 条数 行数 个数`},
	{roleOffset, `offset start skip begin from 起始 偏移`},
	{roleKey, `key property setting field 键 键名`},
}

// roleHints are words of descriptions, looked at when the name says nothing.
var roleHints = []struct {
	r     roleSet
	words string
}{
	{roleExpr, "math mathematical arithmetic formula 数学表达式 表达式 算式 公式 rechenausdruck 数式"},
	{rolePlace, "city location place 城市 地点 stadt ciudad ville"},
	{rolePath, "path file directory folder 路径 文件 目录 datei"},
	{roleURL, "url link 网址 链接"},
	{roleQuery, "query search keyword keywords 查询 搜索 关键词"},
	{roleText, "text message string 文本 消息 内容 nachricht"},
	{roleFrom, "source 源单位 原单位 源 ausgangseinheit quelle"},
	{roleTo, "target destination 目标单位 目标 zieleinheit ziel"},
	{roleUnit, "unit units 单位 einheit"},
	{roleLang, "language 语言 sprache"},
}

func (l *lexiconData) addRoles() {
	l.roleWords = map[string]roleSet{}
	for _, row := range roleTable {
		for _, w := range strings.Fields(row.words) {
			l.roleWords[w] |= row.r
			l.addHan(w)
		}
	}
	l.addOperations()
}

// rolesOf judges a parameter by its name, then by its description.
func (l *lexiconData) rolesOf(p param) roleSet {
	var r roleSet
	r |= l.roleWords[strings.ToLower(p.name)]
	r |= l.roleWords[strings.Join(p.words, "")]
	for _, w := range p.words {
		r |= l.roleWords[w]
		if strings.HasSuffix(w, "einheit") {
			r |= roleUnit
		}
	}
	for _, w := range p.words {
		if w == "glob" || w == "mode" || w == "filter" || w == "type" || w == "extension" {
			r &^= rolePath | roleText // a property of files, not a file
		}
	}
	r |= l.byExamples(p)
	if r != 0 {
		return r
	}
	text := " " + strings.ToLower(cut(p.s.desc, maxDesc)) + " "
	for _, h := range roleHints {
		for _, w := range strings.Fields(h.words) {
			if ideographic(w) && strings.Contains(text, w) || hasWord(text, w) {
				r |= h.r | roleDesc
			}
		}
	}
	return r
}

// hasWord reports whether w stands in text as a word of its own.
func hasWord(text, w string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return false
		}
		i += from
		if !letterAt(text, i-1) && !letterAt(text, i+len(w)) {
			return true
		}
		from = i + len(w)
	}
}

// letterAt reports whether an ASCII letter or digit stands at i.
func letterAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i] | 0x20
	return c >= 'a' && c <= 'z' || s[i] >= '0' && s[i] <= '9' || s[i] == '_'
}

// byExamples judges a parameter by the examples that its description gives:
// they speak the same in every language.
func (l *lexiconData) byExamples(p param) roleSet {
	if p.s.numeric() {
		return 0
	}
	var r roleSet
	units, sums := 0, 0
	for _, ex := range examplesOf(p) {
		ts := l.tokenize(ex)
		if _, n := l.unitAt(ts, 0); n > 0 && n == len(ts) {
			units++
		}
		if n, end := newExprParser(l, ts).sum(0, 0); n != nil && end == len(ts) && n.ops() > 0 && !looksLikeDate(ts) {
			sums++
		}
	}
	if units > 1 {
		r |= roleUnit
	}
	if sums > 0 {
		r |= roleExpr
	}
	return r
}

// examplesOf collects the values that the schema names for p.
func examplesOf(p param) []string {
	out := quotedSpans(p.s.desc)
	for _, e := range append(append([]any{}, p.s.examples...), p.s.def) {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	for _, e := range p.s.enum {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}
