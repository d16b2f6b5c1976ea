package edit

// ratio is how much a resembles b, from 0 to 1: twice the characters of the
// matching blocks by those of both texts (Ratcliff and Obershelp, in the form
// that Python's difflib gives it, since the thresholds were chosen for it).
func ratio(a, b string) float64 { return ratioOf([]rune(a), []rune(b)) }

func ratioOf(a, b []rune) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	n := 0
	for _, m := range blocks(a, b) {
		n += m.size
	}
	return 2 * float64(n) / float64(len(a)+len(b))
}

// ratioAtLeast reports whether ratio(a, b) >= least, mostly without working it
// out.
func ratioAtLeast(a, b string, least float64) bool {
	x, y := []rune(a), []rune(b)
	total := float64(len(x) + len(y))
	if total == 0 {
		return true
	}
	if 2*float64(min(len(x), len(y)))/total < least {
		return false
	}
	count := map[rune]int{}
	for _, r := range y {
		count[r]++
	}
	common := 0
	for _, r := range x {
		if count[r] > 0 {
			count[r]--
			common++
		}
	}
	if 2*float64(common)/total < least {
		return false
	}
	return ratioOf(x, y) >= least
}

// block is a run that two texts share, in characters.
type block struct{ a, b, size int }

// commonFrom is the length of the second text from which characters that make
// up more than one in a hundred of it do not begin a block.
const commonFrom = 200

// blocks are the matching runs of a and b in order: the longest, the first of
// equals, and then those to its left and to its right.
func blocks(a, b []rune) []block {
	at := map[rune][]int{}
	for i, r := range b {
		at[r] = append(at[r], i)
	}
	if len(b) >= commonFrom {
		for r, list := range at {
			if len(list) > len(b)/100+1 {
				delete(at, r)
			}
		}
	}
	m := matcher{a, b, at}
	var out []block
	var rest []bounds
	rest = append(rest, bounds{0, len(a), 0, len(b)})
	for len(rest) > 0 {
		r := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		k := m.longest(r)
		if k.size == 0 {
			continue
		}
		out = append(out, k)
		rest = append(rest, bounds{r.aFrom, k.a, r.bFrom, k.b}, bounds{k.a + k.size, r.aTo, k.b + k.size, r.bTo})
	}
	return out
}

type bounds struct{ aFrom, aTo, bFrom, bTo int }

type matcher struct {
	a, b []rune
	at   map[rune][]int // where in b a character stands
}

// longest is the longest run within r.
func (m matcher) longest(r bounds) block {
	best := block{r.aFrom, r.bFrom, 0}
	ends := map[int]int{} // by position in b: length of the run that ends there
	for i := r.aFrom; i < r.aTo; i++ {
		next := map[int]int{}
		for _, j := range m.at[m.a[i]] {
			if j < r.bFrom {
				continue
			}
			if j >= r.bTo {
				break
			}
			k := ends[j-1] + 1
			next[j] = k
			if k > best.size {
				best = block{i - k + 1, j - k + 1, k}
			}
		}
		ends = next
	}
	// Characters that do not begin a block may lengthen one.
	for best.a > r.aFrom && best.b > r.bFrom && m.a[best.a-1] == m.b[best.b-1] {
		best = block{best.a - 1, best.b - 1, best.size + 1}
	}
	for best.a+best.size < r.aTo && best.b+best.size < r.bTo && m.a[best.a+best.size] == m.b[best.b+best.size] {
		best.size++
	}
	return best
}
