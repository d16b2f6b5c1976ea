package demo

import "strings"

// conceptSet is a set of things that a text asks for and a tool offers.
type conceptSet uint64

const (
	conceptMath conceptSet = 1 << iota // works with numbers, certainly
	conceptCalc                        // computes, perhaps something else
	conceptConvert
	conceptSay
	conceptWeather
	conceptSearch
	conceptRead
	conceptTime
	conceptTodo
	conceptTranslate
	conceptRandom
	conceptWrite
	conceptDelete
	conceptRun
	conceptList
	conceptFile
	conceptWeb
	conceptRemember
	conceptSend
	conceptJoke
	conceptNews
	conceptPrice
	conceptSummarise
	conceptReverse
	conceptCount
	conceptHash
	conceptPassword
	conceptImage
	conceptMusic
	conceptGreet
	conceptAdd
	conceptCase
	conceptAct
)

func (c conceptSet) has(o conceptSet) bool { return c&o != 0 }

// conceptTable says which words stand for what, in the languages that tools
// are written in. A word with * is a beginning.
var conceptTable = []struct {
	c     conceptSet
	words string
}{
	{conceptMath, `math* arithmetic* calculator* algebra* equation* formula* formel* mathe* rechn* berechn* ausrechn* rekenmach* calculadora* calculatrice*
		calculette* calcolatric* kalkul* kalkyl* räkn* rekn* beregn* laske* hesap* oblicz* vypoč* számol* вычисл* посчита* расчет* расчёт* рассчит* арифмет* калькул* матем*
		数学 计算器 算术 算式 四则 表达式求值 計算 算数 電卓 계산 수식 산술`},
	{conceptCalc, `calc calculate* calculat* compute* evaluat* solve* calcul* comput* calcola* reken* 计算 运算 求值 算一算 算算 算一下 算`},
	{conceptConvert, `convert* conversion* converter* umrechn* umwandl* konvert* konverter* convers* convierte* conviert* converti* omreken* omzet* omvandl* przelicz* dönüştür*
		преобраз* конверт* переве* 转换 换算 转成 转为 转化 换成 折合 折算 变成 换 转 変換 換算 변환 환산`},
	{conceptSay, `echo* repeat* say says speak* parrot* wiederhol* répèt* repet* ripet* повтор* эхо tekrar* 回声 回显 复述 重复 复读 说 念 跟着说 繰り返* エコー こだま 에코 반복`},
	{conceptWeather, `weather* forecast* climate* temperature* humid* rain rainy raining snow snowing sunny windy umbrella hot cold wetter* météo* meteo* tiempo clima* погод* pogod* hava
		天气 气温 气候 下雨 下雪 多少度 几度 温度 湿度 带伞 热吗 冷吗 天気 気温 날씨`},
	{conceptSearch, `search* find* look lookup grep* locate* query such* suche* buscar* busca* cherch* recherch* cerca* ricerca* zoek* искать поиск* найти найд*
		搜索 查找 搜 搜寻 寻找 找 检索 查询 查 検索 검색`},
	{conceptRead, `read* open opens show* view* display* cat print content* lies* lese* leer lee* lire lis leggi* lees читать прочит* 读取 读 阅读 打开 查看 显示 读一下 看看 内容 写了什么 読* 읽*`},
	{conceptTime, `time clock date datetime uhrzeit zeit heure hora fecha время 时间 几点 日期 几号 星期几 時刻 日時 시간`},
	{conceptTodo, `todo* to-do task tasks remind* reminder* checklist* aufgabe* erinner* tarea* tâche* задач* 待办 待办事项 任务清单 清单 提醒 任务 やること 할일`},
	{conceptTranslate, `translat* übersetz* traduc* tradui* tradur* vertaal* перевод* 翻译 译成 译为 翻訳 번역`},
	{conceptRandom, `random* dice die roll* coin flip* lottery shuffle* pick zufall* würf* aleator* aléato* случайн* 随机 骰子 掷 抛硬币 抽签 乱数 무작위`},
	{conceptWrite, `write* save* store* create* append* schreib* escrib* écri* scriv* записать запис* 写入 写 保存 创建 新建 書* 쓰*`},
	{conceptDelete, `delet* remove* erase* clear* lösch* elimin* borra* supprim* удал* 删除 移除 清除 清空 削除 삭제`},
	{conceptRun, `run runs execute* execut* terminal shell command* bash script* ausführ* ejecut* выполн* 运行 执行 终端 命令 脚本 実行 실행`},
	{conceptList, `ls dir list lists enumerate* liste* auflist* lista* 列出 列表 列举 有哪些 一覧 목록`},
	{conceptFile, `ls file* folder* director* datei* ordner* verzeichnis* archivo* fichier* dossier* файл* 文件 文件夹 目录 ファイル 파일`},
	{conceptWeb, `web website* url* internet online browser* http* fetch* download* page google 网页 网站 网络 网上 上网 互联网 链接 ウェブ 웹`},
	{conceptRemember, `remember* memor* recall* merk* recuerd* souvien* запомн* 记住 记忆 回忆 记下 覚え* 기억`},
	{conceptSend, `send* email* mail* message* notify* notification* post* transfer* pay* senden* schick* enviar* envoy* отправ* 发送 发 邮件 短信 通知 转账 付款 支付 送信 보내*`},
	{conceptJoke, `joke* funny witz* chiste* blague* шутк* 笑话 段子 冷笑话 冗談 농담`},
	{conceptNews, `news headline* nachricht* noticia* nouvelle* новост* 新闻 头条 ニュース 뉴스`},
	{conceptPrice, `price* stock* quote* share* kurs* aktie* precio* prix цен* 股价 股票 价格 行情 株価 주가`},
	{conceptSummarise, `summar* tl;dr zusammenfass* resum* résum* 总结 摘要 概括 要約 요약`},
	{conceptReverse, `revers* backward* umkehr* rückwärts invert* 反转 倒过来 颠倒 倒序 逆`},
	{conceptCount, `count* zähl* cuenta* contar compte* сосчит* 统计 字数 数一数 计数 多少个字`},
	{conceptHash, `hash* sha* md5 checksum* digest* 哈希 散列 校验`},
	{conceptPassword, `password* passwort* passphrase* contraseña* uuid* guid* token* пароль* 密码 口令`},
	{conceptImage, `image* picture* photo* draw* paint* bild* imagen* изображ* 图片 图像 画 照片 绘 画像 이미지`},
	{conceptMusic, `music* song* playlist* musik* lied* música* 音乐 歌曲 歌 音楽 음악`},
	{conceptGreet, `greet* begrüß* salud* salu* 问候 打招呼 挨拶 인사`},
	{conceptAdd, `add adds put append insert hinzufüg* 添加 加入 加到 增加 追加 记`},
	{conceptAct, `complete* finish* reset* stop* abort* approve* promote* demote* leave* join* pause* resume* advance* kill* close* submit* deploy* install* uninstall* restart*
		enable* disable* cancel* commit* merge* delegat* spawn* schedul* rename* move* transfer* buy* order* 完成 重置 停止 批准 提升 离开 加入会议 暂停 恢复 关闭 提交 部署 安装 卸载 重启 启用 禁用 取消 购买 下单`},
	{conceptCase, `uppercase* lowercase* capital* upper lower 大写 小写`},
}

type stem struct {
	text string
	c    conceptSet
}

func (l *lexiconData) addConcepts() {
	l.concepts = map[string]conceptSet{}
	for _, row := range conceptTable {
		for _, w := range strings.Fields(row.words) {
			begin, isStem := strings.CutSuffix(w, "*")
			switch {
			case ideographic(begin):
				l.concepts[begin] |= row.c
				l.addHan(begin)
			case isStem:
				l.stems = append(l.stems, stem{begin, row.c})
			default:
				l.concepts[w] |= row.c
			}
		}
	}
}

// ideographic reports whether w is written without spaces between words.
func ideographic(w string) bool {
	for _, r := range w {
		return isHan(r)
	}
	return false
}

// wordConcepts is what one lower-case word stands for.
func (l *lexiconData) wordConcepts(w string) conceptSet {
	c := l.concepts[w]
	for _, s := range l.stems {
		if strings.HasPrefix(w, s.text) {
			c |= s.c
		}
	}
	return c
}

// textConcepts is what the words of a text stand for. Chinese words shorter
// than minHan characters are passed over: in running text a single character
// is too often part of another word.
func (l *lexiconData) textConcepts(ts []token, minHan int) conceptSet {
	var c conceptSet
	for _, t := range ts {
		switch t.kind {
		case tokWord:
			c |= l.wordConcepts(t.text)
		case tokHan:
			if len(t.text) >= 3*minHan {
				c |= l.concepts[t.text]
			}
		}
	}
	return c
}
