package demo

import "strings"

// unit is a unit of measure: its canonical symbol and the names it goes by.
type unit struct {
	dim    string
	symbol string
	names  []string // lower case; the first is the English singular
	plural string
	zh     string
}

// unitTable lists units by dimension: symbol | English names | Chinese names.
// The first English name is the singular, the second the plural. A name may
// stand with several units (ounce); the other unit of a conversion decides.
const unitTable = `
length
m | meter meters metre metres | 米 公尺
km | kilometer kilometers kilometre kilometres kms | 公里 千米
cm | centimeter centimeters centimetre centimetres | 厘米 公分
mm | millimeter millimeters millimetre millimetres | 毫米
um | micrometer micrometers micron microns μm µm | 微米
nm | nanometer nanometers | 纳米
dm | decimeter decimeters | 分米
mi | mile miles | 英里 哩
ft | foot feet ' | 英尺 呎
in | inch inches " | 英寸 吋
yd | yard yards yds | 码
nmi | nautical_mile nautical_miles | 海里
ly | light_year light_years lightyear lightyears | 光年
mass
kg | kilogram kilograms kilo kilos kgs | 公斤 千克
g | gram grams gr | 克
mg | milligram milligrams | 毫克
t | tonne tonnes ton tons metric_ton metric_tons | 吨 公吨
lb | pound pounds lbs | 磅 英镑重
oz | ounce ounces | 盎司
st | stone stones | 英石
jin | jin jins | 斤 市斤
liang | liang liangs | 市两
temperature
C | celsius celsius centigrade degc °c | 摄氏度 摄氏
F | fahrenheit fahrenheit degf °f farenheit fahrenheits | 华氏度 华氏
K | kelvin kelvins °k | 开尔文 开氏度 绝对温度
data
bit | bit bits | 比特
B | byte bytes | 字节
KB | kilobyte kilobytes k kbyte | 千字节
MB | megabyte megabytes meg megs mbyte m | 兆字节 兆
GB | gigabyte gigabytes gig gigs gbyte g | 吉字节
TB | terabyte terabytes tbyte t | 太字节
PB | petabyte petabytes | 拍字节
KiB | kibibyte kibibytes | -
MiB | mebibyte mebibytes | -
GiB | gibibyte gibibytes | -
TiB | tebibyte tebibytes | -
Mbit | megabit megabits | 兆比特
Gbit | gigabit gigabits | -
time
s | second seconds sec secs | 秒 秒钟
ms | millisecond milliseconds msec | 毫秒
us | microsecond microseconds μs µs | 微秒
ns | nanosecond nanoseconds | 纳秒
min | minute minutes mins | 分钟 分
hr | hour hours h hrs | 小时 钟头 个小时
day | day days d | 天 日
week | week weeks wk wks | 周 星期 礼拜 个星期
month | month months mo | 个月 月
year | year years yr yrs | 年
area
m2 | square_meter square_meters square_metre square_metres sq_m sqm m^2 | 平方米 平米
km2 | square_kilometer square_kilometers square_kilometre square_kilometres sq_km km^2 | 平方公里 平方千米
cm2 | square_centimeter square_centimeters sq_cm cm^2 | 平方厘米
ft2 | square_foot square_feet sq_ft sqft ft^2 | 平方英尺
in2 | square_inch square_inches sq_in | 平方英寸
mi2 | square_mile square_miles sq_mi | 平方英里
acre | acre acres | 英亩
ha | hectare hectares | 公顷
mu | mu mus | 亩
volume
l | liter liters litre litres | 升 公升
ml | milliliter milliliters millilitre millilitres mls cc | 毫升
m3 | cubic_meter cubic_meters cubic_metre cubic_metres m^3 | 立方米
gal | gallon gallons gals | 加仑
qt | quart quarts | 夸脱
pt | pint pints | 品脱
cup | cup cups | 杯
floz | fluid_ounce fluid_ounces fl_oz ounce ounces oz | 液量盎司
tbsp | tablespoon tablespoons | 汤匙
tsp | teaspoon teaspoons | 茶匙
speed
km/h | kilometer_per_hour kilometers_per_hour kmh kph km_per_hour kilometres_per_hour km/hr | 公里每小时 千米每小时 公里/小时
m/s | meter_per_second meters_per_second m_per_s mps metres_per_second | 米每秒 米/秒
mph | mile_per_hour miles_per_hour mi/h | 英里每小时
knot | knot knots kn | 节
ft/s | foot_per_second feet_per_second fps | 英尺每秒
energy
J | joule joules | 焦耳 焦
kJ | kilojoule kilojoules | 千焦
cal | calorie calories | 卡路里 卡
kcal | kilocalorie kilocalories | 千卡 大卡
kWh | kilowatt_hour kilowatt_hours | 千瓦时 度电
Wh | watt_hour watt_hours | 瓦时
power
W | watt watts | 瓦 瓦特
kW | kilowatt kilowatts | 千瓦
hp | horsepower horsepower | 马力
pressure
Pa | pascal pascals | 帕 帕斯卡
kPa | kilopascal kilopascals | 千帕
bar | bar bars | 巴
psi | psi psi | -
atm | atmosphere atmospheres | 大气压 标准大气压
angle
deg | degree degrees ° | 度
rad | radian radians | 弧度
frequency
Hz | hertz hertz | 赫兹 赫
kHz | kilohertz kilohertz | 千赫
MHz | megahertz megahertz | 兆赫
GHz | gigahertz gigahertz | 吉赫
currency
USD | dollar dollars us_dollar us_dollars usd $ bucks | 美元 美金
EUR | euro euros € | 欧元
CNY | yuan yuan rmb renminbi ¥ | 人民币 元 块钱
JPY | yen yen japanese_yen | 日元 日币
GBP | pound pounds british_pound british_pounds quid £ | 英镑
KRW | won won korean_won | 韩元
HKD | hong_kong_dollar hong_kong_dollars | 港币 港元
INR | rupee rupees | 卢比
CAD | canadian_dollar canadian_dollars | 加元 加币
AUD | australian_dollar australian_dollars | 澳元
CHF | swiss_franc swiss_francs franc francs | 瑞士法郎
RUB | ruble rubles rouble roubles | 卢布
BTC | bitcoin bitcoins | 比特币`

func (l *lexiconData) addUnits() {
	l.units = map[string][]*unit{}
	dim := ""
	for line := range strings.Lines(unitTable) {
		cols := strings.Split(strings.TrimSpace(line), " | ")
		if len(cols) < 3 {
			dim = cols[0]
			continue
		}
		u := &unit{dim: dim, symbol: cols[0]}
		for _, n := range strings.Fields(cols[1]) {
			u.names = append(u.names, strings.ReplaceAll(n, "_", " "))
		}
		u.plural = u.names[1]
		l.addUnitName(u, strings.ToLower(u.symbol))
		for _, n := range u.names {
			l.addUnitName(u, n)
		}
		for _, n := range strings.Fields(cols[2]) {
			if n == "-" {
				continue
			}
			if u.zh == "" {
				u.zh = n
			}
			l.addUnitName(u, n)
			l.addHan(n)
		}
	}
}

// maxUnitTokens is how many tokens the longest name has (km per hour, m ^ 2).
const maxUnitTokens = 4

func (l *lexiconData) addUnitName(u *unit, key string) {
	for _, have := range l.units[key] {
		if have == u {
			return
		}
	}
	l.units[key] = append(l.units[key], u)
}

// joinTexts is the key of a phrase: token texts with a space between words.
func joinTexts(ts []token) string {
	key := ""
	for i, t := range ts {
		switch {
		case t.text == "squared":
			key += "^2"
			continue
		case t.text == "cubed":
			key += "^3"
			continue
		case i > 0 && t.kind == tokWord && ts[i-1].kind == tokWord:
			key += " "
		}
		key += t.text
	}
	return key
}

// unitAt returns the units that the longest name at ts[i] may mean.
func (l *lexiconData) unitAt(ts []token, i int) (us []*unit, n int) {
	for k := min(maxUnitTokens, len(ts)-i); k > 0; k-- {
		span := ts[i : i+k]
		if found := l.units[joinTexts(span)]; found != nil {
			return found, k
		}
		// "degrees celsius", "° F": the degree belongs to the scale.
		if k > 1 && (span[0].text == "degrees" || span[0].text == "degree" || span[0].text == "°" || span[0].text == "deg") {
			if found := l.units[joinTexts(span[1:])]; found != nil && found[0].dim == "temperature" {
				return found, k
			}
		}
	}
	return nil, 0
}
