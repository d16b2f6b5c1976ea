package approval

import (
	"strings"

	"hermes/agent/approval/internal/shell"
)

func ruleTee(j *judge, c *shell.Command, args []string) {
	for _, a := range readFlags(args, "").rest {
		switch j.target(c, a) {
		case placeEtc, placeCred, placeHermes, placeBlock:
			j.found(c, keyTeeSystem)
		case placeProject:
			j.found(c, keyTeeProject)
		}
	}
}

// ruleCopy is for programs whose last word is where they write.
func ruleCopy(j *judge, c *shell.Command, args []string) {
	f := readFlags(args, "tmgoSe")
	var to []string
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, "--target-directory="); ok {
			to = append(to, v)
		}
		if (a == "-t" || a == "--target-directory") && i+1 < len(args) && c.Name() != "rsync" {
			to = append(to, args[i+1])
		}
	}
	if n := len(f.rest); n > 1 {
		to = append(to, f.rest[n-1])
	}
	for _, t := range to {
		switch j.target(c, t) {
		case placeEtc:
			j.found(c, keyCopySystem)
		case placeCred:
			j.found(c, keyCopyCred)
		case placeHermes, placeProject:
			j.found(c, keyCopyProject)
		case placeBlock:
			j.found(c, keyBlockWrite)
		}
	}
}

// ruleFetch is for downloads that say where to.
func ruleFetch(j *judge, c *shell.Command, args []string) {
	for i, a := range args {
		to := ""
		switch {
		case i+1 < len(args) && (a == "--output" || a == "--output-document" || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.HasSuffix(a, fetchOption(c.Name()))):
			to = args[i+1]
		case strings.HasPrefix(a, "--output="), strings.HasPrefix(a, "--output-document="):
			_, to, _ = strings.Cut(a, "=")
		}
		switch j.target(c, to) {
		case placeEtc:
			j.found(c, keyCopySystem)
		case placeCred, placeHermes:
			j.found(c, keyCopyCred)
		}
	}
}

// fetchOption is the letter of the option that names the file.
func fetchOption(program string) string {
	if program == "wget" {
		return "O"
	}
	return "o"
}

func ruleSed(j *judge, c *shell.Command, args []string) {
	edits, long := false, false
	var rest, scripts []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "--in-place"):
			edits, long = true, true
		case a == "-e" || a == "--expression" || a == "-f" || a == "--file":
			i++
			if i < len(args) && strings.Contains(a, "e") && a != "--file" {
				scripts = append(scripts, args[i])
			}
		case strings.HasPrefix(a, "--expression="):
			scripts = append(scripts, a[len("--expression="):])
		case strings.HasPrefix(a, "--"):
		case len(a) > 1 && a[0] == '-':
			edits = edits || strings.Contains(a, "i")
		default:
			rest = append(rest, a)
		}
	}
	if len(scripts) == 0 && len(rest) > 0 {
		scripts = rest[:1]
	}
	for _, s := range scripts {
		if sedRuns().MatchString(s) {
			j.found(c, keySed)
		}
	}
	if !edits {
		return
	}
	for _, a := range rest {
		j.edited(c, a, long, [...]string{keyEditSystem, keyEditCred, keyEditHermes}, [...]string{keyEditSystemLong, keyEditCredLong, keyEditHermesLong})
	}
}

func (j *judge) edited(c *shell.Command, file string, long bool, keys, longKeys [3]string) {
	if long {
		keys = longKeys
	}
	switch j.target(c, file) {
	case placeEtc:
		j.found(c, keys[0])
	case placeCred:
		j.found(c, keys[1])
	case placeHermes:
		j.found(c, keys[2])
	case placeProject:
		j.found(c, keyCopyProject)
	}
}

// sedRuns finds sed's command e and the flag e of s, with the usual
// separators.
var sedRuns = lazy(`(?:^|[;{\n])\s*(?:\d+|\$|/[^/]*/)?(?:,(?:\d+|\$|/[^/]*/))?\s*!?\s*` +
	`(?:e(?:\s+\S|\s*$)|s/(?:[^/\\]|\\.)*/(?:[^/\\]|\\.)*/[gpiIm0-9]*e|s\|(?:[^|\\]|\\.)*\|(?:[^|\\]|\\.)*\|[gpiIm0-9]*e|s#(?:[^#\\]|\\.)*#(?:[^#\\]|\\.)*#[gpiIm0-9]*e)`)

var perlInPlace = lazy(`^-[a-zA-HJ-Z0-9]*i`)

// rulePerlEdit is for perl -i and ruby -i.
func rulePerlEdit(j *judge, c *shell.Command, args []string) {
	edits := false
	for _, a := range args {
		edits = edits || perlInPlace().MatchString(a) && !strings.HasPrefix(a, "-M") && !strings.HasPrefix(a, "-r") && !strings.HasPrefix(a, "-I")
	}
	if !edits {
		return
	}
	keys := [3]string{keyEditSystem, keyEditCredPerl, keyEditHermesPerl}
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			j.edited(c, a, false, keys, keys)
		}
	}
}
