package agent

import (
	"fmt"
	"strings"
)

// guard notices calls that get nowhere within a turn (contract/core §1.4). By
// default it only warns the model.
type guard struct {
	hardStop bool
	exact    map[string]int    // tool and arguments -> failures
	tools    map[string]int    // tool -> failures
	results  map[string]string // tool and arguments -> last result of a read-only tool
	same     map[string]int    // tool and arguments -> times the same result came
}

// Thresholds.
const (
	warnExact, stopExact = 2, 5
	warnTool, stopTool   = 3, 8
	warnSame, stopSame   = 2, 5
)

// blocks says why a call must not run any more, "" when it may.
func (g *guard) blocks(c *call) string {
	if !g.hardStop {
		return ""
	}
	key := guardKey(c)
	switch {
	case g.exact[key] >= stopExact:
		return fmt.Sprintf("Tool loop stopped: %s failed %d times with these arguments in this turn. Do something else.", c.name, g.exact[key])
	case g.tools[c.name] >= stopTool:
		return fmt.Sprintf("Tool loop stopped: %s failed %d times in this turn. Do something else.", c.name, g.tools[c.name])
	case g.same[key] >= stopSame:
		return fmt.Sprintf("Tool loop stopped: %s gave the same result %d times in this turn. Use what you have.", c.name, g.same[key])
	}
	return ""
}

// observe counts a call that ran and returns the warning for its result, ""
// when there is none.
func (g *guard) observe(c *call, result string) string {
	g.init()
	key := guardKey(c)
	if failed(result) {
		g.exact[key]++
		g.tools[c.name]++
		switch {
		case g.exact[key] >= warnExact:
			return warning("repeated_exact_failure_warning", g.exact[key], "the same call failed before; change the arguments or try another way")
		case g.tools[c.name] >= warnTool:
			return warning("same_tool_failure_warning", g.tools[c.name], "this tool keeps failing; look at the errors before calling it again")
		}
		return ""
	}
	delete(g.exact, key)
	if !c.spec.ParallelSafe {
		return ""
	}
	if last, ok := g.results[key]; !ok || last != result {
		g.results[key], g.same[key] = result, 1
		return ""
	}
	g.same[key]++
	if g.same[key] >= warnSame {
		return warning("idempotent_no_progress_warning", g.same[key], "the result is the same as before; use it instead of asking again")
	}
	return ""
}

func (g *guard) init() {
	if g.exact == nil {
		g.exact, g.tools, g.results, g.same = map[string]int{}, map[string]int{}, map[string]string{}, map[string]int{}
	}
}

func guardKey(c *call) string { return c.name + "\x00" + sameArgs(c) }

func warning(code string, n int, advice string) string {
	return fmt.Sprintf("\n\n[Tool loop warning: %s; count=%d; %s]", code, n, advice)
}

// failed reports whether a result tells of a failure: JSON with an error, a
// command's exit code, or text that begins like one.
func failed(result string) bool {
	if strings.HasPrefix(result, "Error") {
		return true
	}
	e, code := errorIn(result)
	return e != "" || code
}
