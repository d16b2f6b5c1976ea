package demo

import "strings"

// findRate reads a price or an amount per something, and how many of it there
// are: "150 a day for three days", 每天 150 元, 三天. Every number of the text has
// to have its part in it; otherwise the text is not understood.
func findRate(ts []token) (*node, bool) {
	if !asksForTotal(ts) {
		return nil, false
	}
	amount, unit := -1, ""
	for i, t := range ts {
		if !perWord(ts, i) {
			continue
		}
		unit = nounAt(ts, i+1)
		if t.text == "each" && unit == "" {
			unit = "*"
		}
		if amount = amountNear(ts, i); amount >= 0 {
			break
		}
	}
	if amount < 0 || unit == "" {
		return nil, false
	}
	n := num(ts[amount].text)
	found := false
	for i, t := range ts {
		if t.kind != tokNum || i == amount || article(ts, i) {
			continue
		}
		if !counts(ts, i, unit) {
			return nil, false
		}
		n, found = op2("*", n, num(t.text)), true
	}
	return n, found
}

// saysTotal reports whether the text asks for a total in so many words.
func saysTotal(ts []token) bool {
	for _, t := range ts {
		if inWords("total altogether 总共 一共 共 合计 总计", t.text) {
			return true
		}
	}
	return false
}

func asksForTotal(ts []token) bool {
	for _, t := range ts {
		switch t.text {
		case "total", "altogether", "much", "cost", "sum", "far", "总共", "一共", "共", "合计", "总计", "多少", "总", "一起":
			return true
		}
	}
	return false
}

// perWord reports whether the token i says "for every".
func perWord(ts []token, i int) bool {
	if ts[i].kind == tokNum {
		return article(ts, i) && again(ts, i)
	}
	switch ts[i].text {
	case "per", "each", "every", "每", "每天", "每人", "每个":
		return true
	case "a", "an":
		// "150 a day", "20 dollars an hour"
		return i > 0 && (ts[i-1].kind == tokNum || i > 1 && ts[i-2].kind == tokNum && money(ts[i-1].text))
	}
	return false
}

// article reports whether the number at i is 一 in front of what is counted:
// 一列火车 says no number.
func article(ts []token, i int) bool {
	return ts[i].text == "1" && ts[i].end-ts[i].start == len("一")
}

// again reports whether the noun behind i is counted a second time: 一箱有 24
// 瓶，5 箱.
func again(ts []token, i int) bool {
	if i+1 >= len(ts) || ts[i+1].kind != tokHan {
		return false
	}
	for j := i + 2; j+1 < len(ts); j++ {
		if ts[j].kind == tokNum && !article(ts, j) && strings.TrimPrefix(ts[j+1].text, "个") == strings.TrimPrefix(ts[i+1].text, "个") {
			return true
		}
	}
	return false
}

func money(w string) bool {
	return inWords("dollars dollar bucks euros euro yuan usd eur rmb pounds $ 元 块 块钱 美元 欧元", w)
}

// nounAt is what is counted: day, 天, 人.
func nounAt(ts []token, i int) string {
	if i > 0 && i <= len(ts) {
		if w := ts[i-1].text; len(w) > len("每") && strings.HasPrefix(w, "每") {
			return strings.TrimPrefix(w, "每")
		}
	}
	for i < len(ts) && (ts[i].text == "个" || ts[i].text == "一" || ts[i].kind == tokNum && ts[i].text == "1") {
		i++
	}
	if i >= len(ts) || ts[i].kind != tokWord && ts[i].kind != tokHan {
		return ""
	}
	if ts[i].kind == tokWord && lexicon().stop[ts[i].text] {
		return ""
	}
	return strings.TrimSuffix(ts[i].text, "s")
}

// amountNear is the number that belongs to the rate at i: the one just before
// "a day", else the first one behind.
func amountNear(ts []token, i int) int {
	for j := i - 1; j >= 0 && j >= i-2; j-- {
		if ts[j].kind == tokNum {
			return j
		}
		if !money(ts[j].text) && ts[j].text != "for" && (ts[j].kind != tokWord || lexicon().stop[ts[j].text]) {
			break
		}
	}
	if ts[i].text == "a" || ts[i].text == "an" {
		return -1
	}
	for j := i + 1; j < len(ts) && j < i+14; j++ {
		if ts[j].kind == tokNum && !(j == i+1 && j+1 < len(ts) && ts[j].text == "1") {
			return j
		}
		if ts[j].text == "。" || ts[j].text == "?" {
			break
		}
	}
	// "12 eggs at 3 dollars each"
	for j := i - 1; j >= 0 && ts[i].text == "each"; j-- {
		if ts[j].kind == tokNum {
			return j
		}
	}
	return -1
}

// counts reports whether the number at i says how many of unit there are.
func counts(ts []token, i int, unit string) bool {
	j := i + 1
	if j < len(ts) && ts[j].text == "个" {
		j++
	}
	if j >= len(ts) {
		return false
	}
	w := strings.TrimPrefix(strings.TrimSuffix(ts[j].text, "s"), "个")
	unit = strings.TrimPrefix(unit, "个")
	if unit == "*" || w == unit || strings.HasPrefix(w, unit) && ideographic(unit) {
		return ts[j].kind == tokWord || ts[j].kind == tokHan
	}
	// days and day's, people and person
	return w == "people" && unit == "person" || w == "person" && unit == "people"
}
