package demo

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDigits bounds a number; a longer run of digits is no quantity.
const maxDigits = 400

// literal reads a number written in digits at the start of s: separators of
// thousands are dropped, full-width digits folded, and Chinese multipliers that
// follow at once (3万, 1.5亿) applied by moving the decimal point. n is its
// length in bytes.
func literal(s string) (text string, n int) {
	var b strings.Builder
	dot := false
	i := 0
	for i < len(s) && b.Len() < maxDigits {
		r, size := utf8.DecodeRuneInString(s[i:])
		f := fold(r)
		switch {
		case f >= '0' && f <= '9':
			b.WriteRune(f)
		case f == '.' && !dot && digitAt(s, i+size):
			dot = true
			b.WriteByte('.')
		case f == ',' && !dot && thousands(s[i+size:]) && b.Len() <= 3+strings.Count(s[:i], ",")*3 && b.String() != "0":
			// the separator is dropped
		default:
			text, more := exponent(b.String(), s[i:])
			if more > 0 {
				return text, i + more
			}
			return multiplied(b.String(), s, i)
		}
		i += size
	}
	return multiplied(b.String(), s, i)
}

// thousands reports whether s begins with exactly three digits.
func thousands(s string) bool {
	for k := range 3 {
		if k >= len(s) || s[k] < '0' || s[k] > '9' {
			return false
		}
	}
	return !digitAt(s, 3)
}

// exponent reads e8 or E-3 behind a number.
func exponent(mantissa, s string) (text string, n int) {
	if len(s) < 2 || (s[0] != 'e' && s[0] != 'E') {
		return "", 0
	}
	i := 1
	if s[i] == '-' || s[i] == '+' {
		i++
	}
	start := i
	for i < len(s) && i-start < 4 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == start || (i < len(s) && wordLen(s[i:]) > 0) {
		return "", 0
	}
	return lead(mantissa) + "e" + strings.TrimPrefix(s[1:i], "+"), i
}

// multiplied applies 千, 万 and 亿 behind digits.
func multiplied(num, s string, i int) (string, int) {
	num = lead(num)
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		zeros, ok := hanScale(r)
		if !ok || zeros < 2 || unitPrefix(r, s[i+size:]) {
			break
		}
		num, i = shift(num, zeros), i+size
		// 3万5千: a smaller part follows.
		if digitAt(s, i) && !strings.Contains(num, ".") {
			part, n := literal(s[i:])
			if len(part) < len(num) && !strings.Contains(part, ".") && strings.ContainsFunc(s[i:i+n], isHan) {
				return add(num, part), i + n
			}
		}
	}
	return num, i
}

// lead gives ".5" its zero and drops zeros that would make a number octal in
// some languages.
func lead(num string) string {
	num = strings.TrimLeft(num, "0")
	if num == "" || num[0] == '.' {
		num = "0" + num
	}
	return num
}

// shift moves the decimal point of num to the right.
func shift(num string, places int) string {
	whole, frac, _ := strings.Cut(num, ".")
	if len(frac) < places {
		frac += strings.Repeat("0", places-len(frac))
	}
	out := strings.TrimLeft(whole+frac[:places], "0")
	if out == "" {
		out = "0"
	}
	if rest := strings.TrimRight(frac[places:], "0"); rest != "" {
		out += "." + rest
	}
	return out
}

// add joins the parts of one spelled number (three hundred + five).
func add(a, b string) string {
	x, ok1 := new(big.Int).SetString(a, 10)
	y, ok2 := new(big.Int).SetString(b, 10)
	if !ok1 || !ok2 {
		return a
	}
	return x.Add(x, y).String()
}

// hanDigit is the value of a Chinese digit; 两 only counts in front of another
// character, where it cannot be the weight.
func hanDigit(r rune) (int, bool) {
	switch r {
	case '〇', '零':
		return 0, true
	case '一', '壹':
		return 1, true
	case '二', '两', '贰':
		return 2, true
	case '三', '叁':
		return 3, true
	case '四', '肆':
		return 4, true
	case '五', '伍':
		return 5, true
	case '六', '陆':
		return 6, true
	case '七', '柒':
		return 7, true
	case '八', '捌':
		return 8, true
	case '九', '玖':
		return 9, true
	}
	return 0, false
}

// hanScale is the number of zeros that a Chinese multiplier stands for.
func hanScale(r rune) (zeros int, ok bool) {
	switch r {
	case '十', '拾':
		return 1, true
	case '百', '佰':
		return 2, true
	case '千', '仟':
		return 3, true
	case '万':
		return 4, true
	case '亿':
		return 8, true
	}
	return 0, false
}

// unitPrefix reports whether the multiplier r belongs to the unit that follows
// (千米, 千克), not to the number.
func unitPrefix(r rune, rest string) bool {
	if r != '千' {
		return false
	}
	for _, u := range []string{"米", "克", "瓦", "卡", "帕", "赫", "字节", "焦"} {
		if strings.HasPrefix(rest, u) {
			return true
		}
	}
	return false
}

// hanNumber reads a numeral in Chinese characters at the start of s.
func hanNumber(s string) (text string, n int) {
	total, section, digit := new(big.Int), int64(0), int64(-1)
	run := "" // digits named one by one: 二〇二六
	i, lastZeros := 0, 0
	for i < len(s) && i < 3*maxDigits {
		r, size := utf8.DecodeRuneInString(s[i:])
		if d, ok := hanDigit(r); ok {
			if digit >= 0 && d >= 0 {
				run += strconv.Itoa(d)
			} else {
				run = strconv.Itoa(d)
			}
			digit = int64(d)
			i += size
			continue
		}
		zeros, ok := hanScale(r)
		if !ok || len(run) > 1 && run[0] != '0' || unitPrefix(r, s[i+size:]) {
			break
		}
		if digit < 0 {
			if zeros >= 4 && i == 0 || zeros < 4 && zeros > 1 && i == 0 {
				break // 万 or 百 with nothing before it is a word
			}
			digit = 1
			if zeros >= 4 {
				digit = 0
			}
		}
		if zeros < 4 {
			section += digit * pow10(zeros)
		} else {
			total.Add(total, big.NewInt(section+digit))
			total.Mul(total, big.NewInt(pow10(zeros)))
			section = 0
		}
		digit, run, lastZeros = -1, "", zeros
		i += size
	}
	if i == 0 {
		return "", 0
	}
	if len(run) > 1 && lastZeros == 0 {
		text = lead(run)
	} else {
		if digit > 0 && lastZeros > 1 && run == strconv.FormatInt(digit, 10) && !lastRune(s[:i], '零') {
			digit *= pow10(lastZeros - 1) // 三百五 is 350
		}
		text = total.Add(total, big.NewInt(section+max(digit, 0))).String()
	}
	return hanDecimals(text, s, i)
}

// lastRune reports whether z stands in front of the last character of s.
func lastRune(s string, z rune) bool {
	_, size := utf8.DecodeLastRuneInString(s)
	r, _ := utf8.DecodeLastRuneInString(s[:len(s)-size])
	return r == z
}

// hanDecimals reads 点 and the digits behind it.
func hanDecimals(whole, s string, i int) (string, int) {
	if !strings.HasPrefix(s[i:], "点") {
		return whole, i
	}
	frac := ""
	j := i + len("点")
	for j < len(s) {
		r, size := utf8.DecodeRuneInString(s[j:])
		d, ok := hanDigit(r)
		if !ok || len(frac) > maxDigits {
			break
		}
		frac += strconv.Itoa(d)
		j += size
	}
	if frac == "" {
		return whole, i
	}
	return multiplied(whole+"."+frac, s, j)
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
