package app

import (
	"encoding/json"
	"os"

	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/tui"
)

// factsName is the file below cache/ that holds what the first frame shows
// before anything is loaded.
const factsName = "first-frame.json"

// readFacts returns what the last run saw. The cache is only a hint: without
// it the first frame says that it does not know yet.
func readFacts(home config.Home) tui.Facts {
	var f tui.Facts
	b, err := os.ReadFile(home.Cached(factsName))
	if err != nil || json.Unmarshal(b, &f) != nil {
		return tui.Facts{}
	}
	return f
}

// remember keeps f for the first frame of the next run.
func (rt *Runtime) remember(f tui.Facts) {
	f.Lang = ""
	if cfg := rt.cfg.Load(); cfg != nil && cfg.Has("display", "language") {
		f.Lang = rt.Lang().String()
	}
	if rt.opt.Toolsets != nil { // of this run alone
		f.Tools = readFacts(rt.opt.Home).Tools
	}
	b, err := json.Marshal(f)
	if err == nil {
		err = config.WriteFile(rt.opt.Home.Cached(factsName), b)
	}
	if err != nil {
		rt.logger("hermes.screen").Warn("the first frame of the next run will know nothing", "error", err)
	}
}

// CachedLang is the display.language that the last run on a screen read; ok is
// false when none was set, and the locale decides.
func CachedLang(home config.Home) (locale.Lang, bool) {
	return locale.Parse(readFacts(home).Lang)
}
