package demo

import (
	"strings"
	"unicode/utf8"
)

// traditional pairs traditional characters with the simplified ones that the
// word lists are written in: those that occur in the lists, no dictionary.
const traditional = `將将轉转換换為为攝摄華华開开計计請请幫帮問问幾几麼么樣样氣气溫温讀读尋寻檔档減减億亿萬万兩两點点負负階阶圓圆總总個个錢钱塊块時时鐘钟
間间週周噸吨級级說说話话複复覆复聲声顯显檢检詢询關关鍵键網网頁页務务單单項项從从對对與与於于這这裡里裏里嗎吗誰谁還还會会後后來来現现長长寬宽積积徑径
譯译寫写記记隨随機机擲掷憶忆發发郵邮簡简訊讯聞闻題题價价錄录夾夹執执運运終终腳脚樂乐畫画圖图過过給给讓让稱称雙双數数據据歐欧幣币圓圆約约紐纽倫伦東东
廣广蘇苏臺台灣湾濟济漢汉慶庆貴贵陽阳寧宁遼辽門门瀋沈餘余絕绝對对邊边體体`

// simplify replaces traditional characters one by one; every offset stays.
func (l *lexiconData) simplify(s string) string {
	if !utf8.ValidString(s) {
		return s // a broken byte would change its length
	}
	return strings.Map(func(r rune) rune {
		if to, ok := l.simple[r]; ok {
			return to
		}
		return r
	}, s)
}

func (l *lexiconData) addTraditional() {
	l.simple = map[rune]rune{}
	var from rune
	for _, r := range strings.ReplaceAll(traditional, "\n", "") {
		if from == 0 {
			from = r
			continue
		}
		l.simple[from], from = r, 0
	}
}
