package demo

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// lexiconData is every word list of the package in the form that look-ups need.
// It is built at the first prompt, never at program start, and not changed
// afterwards.
type lexiconData struct {
	han       map[string]bool // words that Chinese text is cut by
	hanMax    int             // bytes of the longest
	small     map[string]string
	ordinal   map[string]string
	scale     map[string]int
	grammar   map[string]gram
	grammarN  int // tokens of the longest phrase
	constants map[string]string
	functions map[string]bool
	units     map[string][]*unit
	concepts  map[string]conceptSet // exact words
	stems     []stem                // beginnings of words
	stop      map[string]bool
	roleWords map[string]roleSet
	synonyms  map[string]string
	simple    map[rune]rune // of traditional characters
}

var lexicon = sync.OnceValue(buildLexicon)

func buildLexicon() *lexiconData {
	l := &lexiconData{
		han:     map[string]bool{},
		small:   pairs(smallNumbers),
		ordinal: pairs(ordinals),
		scale:   map[string]int{},
		stop:    map[string]bool{},
	}
	for w, zeros := range pairs(scaleZeros) {
		l.scale[w] = int(zeros[0]-'0') + (len(zeros)-1)*9
		if len(zeros) == 2 {
			l.scale[w] = 12
		}
	}
	l.addTraditional()
	l.addGrammar()
	l.addUnits()
	l.addConcepts()
	l.addRoles()
	for _, w := range strings.Fields(stopWords) {
		l.stop[w] = true
		l.addHan(w)
	}
	for _, w := range strings.Fields(hanNames + " " + shapeWords + " " + notPlaces) {
		l.addHan(w)
	}
	return l
}

// pairs reads "word value word value …".
func pairs(s string) map[string]string {
	f := strings.Fields(s)
	m := make(map[string]string, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		m[f[i]] = f[i+1]
	}
	return m
}

// addHan lets Chinese text be cut at w.
func (l *lexiconData) addHan(w string) {
	r, _ := utf8.DecodeRuneInString(w)
	if !isHan(r) {
		return
	}
	l.han[w] = true
	l.hanMax = max(l.hanMax, len(w))
}

// hanPrefix returns the longest known word that s begins with, and its length
// in bytes.
func (l *lexiconData) hanPrefix(s string) (string, int) {
	for n := min(l.hanMax, len(s)); n > 0; n-- {
		if (n == len(s) || utf8.RuneStart(s[n])) && l.han[s[:n]] {
			return s[:n], n
		}
	}
	return "", 0
}

// stopWords carry no meaning of their own for choosing a tool.
const stopWords = `a an the is are was were be been am do does did can could would will shall should may might must
i you he she it we they me my your our us him her them this that these those there here what what's whats who which
how when where why whose please pls kindly hey hi hello ok okay so then now just also too and or but if of to in on at by
for from with about into onto as than up out off over me's let lets let's get got give gives want wants need needs like
some any all every each much many more most very really quick quickly one thing something tell show know it's i'm i'd
use using used via tool tools plugin plugins function call calling run make made take have has had its not no yes
current currently today tomorrow right thanks thank
的 了 吗 呢 吧 啊 呀 嘛 么 哦 请 请问 请帮 帮 帮我 帮忙 帮助 我 你 您 他 她 它 我们 你们 他们 咱们 这 那 这个 那个 这里 那里 这儿 那儿 那边 这边 当地 本地 哪里 哪儿
什么 怎么 怎样 怎么样 如何 为什么 为何 谁 哪 哪个 几 是 有 在 就 都 也 还 还有 另外 然后 接着 并且 而且 并 同时 顺便 以及 或 或者 但 但是
一下 一下子 一个 一些 一句 一句话 一遍 一次 一条 一起 一样 一直 一定 一般 一首 一段 一篇 一份 一只 一杯 一点 万一 十分 第一 统一 一共
要 想 想要 需要 可以 能 能否 能不能 可不可以 会 会不会 给 给我 让 把 将 被 对 从 到 为 于 之 得 地 着 过 去 来 再 又 用 使用 通过 调用 工具 插件 函数
现在 目前 当前 今天 今日 今晚 今早 明天 后天 昨天 设为 设置为 设成 改为 改成 相当于 本周 这周 下周 周末 最近 马上 立刻 好 好的 谢谢 多谢 麻烦 知道 告诉 告诉我 看看 看一下 看 吗
如果 假如 的话 每 每天 里 里面 中 上 下 内 外 左右 大概 大约 情况 如今 和 与 跟 及`

// hanNames are words in which a sign of arithmetic or a unit stands for
// something else.
const hanNames = `两边 开发 发现 出发 发生 发展 预算 打算 小说 说明 说法 概念 计划 检查 调查 换句话 记者 记录 写作 作画 查理 找零 时代 内容 
加拿大 加州 加载 加油 加班 减肥 乘坐 乘客 除了 除非 和平 差不多 商店 商品 商务 积极 平均 平方公里
天津 天空 天堂 天才 聊天 春天 夏天 秋天 冬天 白天 整天 时间 时候 小时候 分析 分享 分别 部分 百度 千万 万岁 成都 重庆 上海 上饶 中山 内江 内蒙古 和田 天水 三明 三门峡 四平 六盘水 九寨沟 日照 日喀则 大同 京都 都江堰 都柏林 里斯本 里约 里昂 来宾 周口 周庄 三亚 九江 六安 百色 四川 五台山 千岛湖 万州
人民币 公里数 厘米数 度数 克服 克隆 吨位 米饭 米粉 里程 元旦 元素 块头 首都 年龄 月球 日本 周围 星期 秒杀`
