package demo

import "testing"

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"42":        "42",
		"1,234,567": "1234567",
		"1,23":      "1",
		"3.50":      "3.50",
		"007":       "7",
		".5":        "0.5",
		"1e6":       "1e6",
		"2.5E-3":    "2.5e-3",
		"３．１４":      "3.14",
		"3万":        "30000",
		"1.5亿":      "150000000",
		"3万5千":      "35000",
		"100 万":     "1000000",
		"½":         "0.5",
		"十":         "10",
		"十二":        "12",
		"二十":        "20",
		"一百零五":      "105",
		"三百五":       "350",
		"两千零八":      "2008",
		"一万二":       "12000",
		"一百二十三万四千五百六十七": "1234567",
		"三亿零五":                       "300000005",
		"二〇二六":                       "2026",
		"三点一四":                       "3.14",
		"一点五亿":                       "150000000",
		"零":                          "0",
		"twelve":                     "12",
		"forty-two":                  "42",
		"two hundred and fifty six":  "256",
		"one point five":             "1.5",
		"1.5 million":                "1500000",
		"a hundred":                  "100",
		"a dozen":                    "12",
		"three dozen":                "36",
		"three thousand two hundred": "3200",
		"two million and five":       "2000005",
	} {
		ts := joinNumbers(lexicon().tokenize(text))
		if len(ts) == 0 || ts[0].kind != tokNum || ts[0].text != want {
			t.Errorf("%q: %+v, want %s", text, ts, want)
		}
	}
}

// Digits and number characters that are part of words are no numbers.
func TestNoNumbers(t *testing.T) {
	for _, text := range []string{"一下", "一起", "万一", "十分", "三亚", "log2", "utf8", "some", "百度"} {
		for _, k := range joinNumbers(lexicon().tokenize(text)) {
			if k.kind == tokNum {
				t.Errorf("%q has the number %s", text, k.text)
			}
		}
	}
}

// A calculation keeps the scope that speakers mean.
func TestScopes(t *testing.T) {
	for text, want := range map[string]string{
		"the square root of 2 times pi":     "sqrt(2*pi)",
		"2 乘以 π 的平方根":                       "sqrt(2*pi)",
		"the square root of 16 plus 9":      "sqrt(16)+9",
		"2 times the square root of 9":      "2*sqrt(9)",
		"sqrt(2)*pi":                        "sqrt(2)*pi",
		"√2 × π":                            "sqrt(2)*pi",
		"2 加 9 的平方根":                        "2+sqrt(9)",
		"3 乘以 4 的平方":                        "3*4**2",
		"2^3^2":                             "2**3**2",
		"(2^3)^2":                           "(2**3)**2",
		"-2^2":                              "-2**2",
		"8-(3-1)":                           "8-(3-1)",
		"8/(4/2)":                           "8/(4/2)",
		"(1+2)(3+4)":                        "",
		"2(3+4)":                            "2*(3+4)",
		"2π":                                "2*pi",
		"3 加 4 再乘以 5":                       "(3+4)*5",
		"3 和 4 的和除以 2":                      "(3+4)/2",
		"the sum of 2 and 3 times 4":        "2+3*4",
		"100 plus 10%":                      "100*(1+10/100)",
		"10% of 50 plus 1":                  "10/100*50+1",
		"17 % 5":                            "17%5",
		"5 除 100":                           "100/5",
		"the difference between 3 and 10":   "3-10",
		"subtract 3 from 10":                "10-3",
		"5!/3!":                             "factorial(5)/factorial(3)",
		"sin(90°)":                          "sin(90*pi/180)",
		"log base 3 of 81":                  "log(81)/log(3)",
		"3 + ":                              "",
		"the answer is 42":                  "",
		"one plus one":                      "1+1",
		"what is two to the power of three": "2**3",
	} {
		got := ""
		if found := findCalculations(joinNumbers(lexicon().tokenize(text))); len(found) == 1 {
			got = dialect{"**"}.write(found[0].n)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestConversions(t *testing.T) {
	for text, want := range map[string]string{
		"华氏 100 度是摄氏多少度":                  "100 F C",
		"-40 °C in °F":                    "-40 C F",
		"two and a half hours in minutes": "2.5 hr min",
		"1 tonne in pounds":               "1 t lb",
		"1.5G 是多少 M":                      "1.5 GB MB",
		"16 fl oz to ml":                  "16 floz ml",
		"10 m² to square feet":            "10 m2 ft2",
		"100 km/h in mph":                 "100 km/h mph",
		"the weather in 3 days":           "",
		"I ran 5 km in 30 minutes":        "",
		"12 in":                           "",
		"5 feet":                          "",
	} {
		got := ""
		for _, c := range findConversions(joinNumbers(lexicon().tokenize(text))) {
			got += c.value + " " + c.from.symbol + " " + c.to.symbol
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
