package manifest

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
)

// Options says where to look and what the user decided.
type Options struct {
	Home    config.Home
	Dir     string   // working directory, for project plugins
	Bundled []string // folders of bundled plugins, weakest first
	Sites   []string // Python folders with *.dist-info, in sys.path order

	Enabled, Disabled []string // plugins.enabled and plugins.disabled
	// IgnoreRequiresEnv reports plugins.entries.<key>.ignore_requires_env; nil
	// means never.
	IgnoreRequiresEnv func(key string) bool
	// Getenv asks the process environment with .env over it; nil knows no
	// variable. HERMES_ENABLE_PROJECT_PLUGINS switches project plugins on.
	Getenv   func(string) string
	SafeMode bool
	Log      *slog.Logger // nil logs nothing
	Lang     locale.Lang
}

// Found is one plugin, or one folder that looks like one, and what becomes of
// it.
type Found struct {
	*Manifest
	// Load says that the plugin is to be loaded. State is event.PluginStarting
	// then, else why not: PluginFound, PluginDisabled, PluginNeedsKey,
	// PluginSkipped or PluginFailed.
	Load  bool
	State string
	// Reason is one sentence in the user's language, RefError the text that the
	// reference keeps for the same in its list (English), empty where it has
	// none.
	Reason   string
	RefError string
	Error    *event.PluginError // of PluginFailed
	Missing  []string           // unset required variables, also of plugins that load
	Notices  []string           // advice to the author, in the user's language
	Replaced bool               // another plugin has its key: Key has a suffix to tell them apart

	dropped  bool   // the reference does not see it at all
	decision string // line of the log
}

// Discover finds every plugin and decides about it. The result is in load
// order, folders that are no candidates last. Plugins of the same key: the one
// of the later source counts, at the place of the first (contract/plugins §3.2).
//
// The log gets the lines of contract/plugins §14: the scan, then what was
// decided about each plugin, in load order.
func Discover(o Options) []Found {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	s := &scanner{log: log, lang: o.Lang}
	if o.SafeMode {
		// Rows still show what is there, but nothing is said to be scanned.
		s.log = slog.New(slog.DiscardHandler)
		log.Info("HERMES_SAFE_MODE=1 — plugin discovery skipped")
	}
	s.all(o)
	winners, rest := resolve(s.found, o.Lang)
	for i := range winners {
		winners[i].decide(o)
		winners[i].tell(s.log)
	}
	for i := range rest {
		if o.SafeMode {
			rest[i].Error = nil
			rest[i].skip(o.Lang, locale.FoundSafeMode)
		}
	}
	return append(winners, rest...)
}

// all scans every source in order.
func (s *scanner) all(o Options) {
	top, platforms := 0, 0
	for _, dir := range o.Bundled {
		s.log.Debug("Scanning bundled plugins: " + dir)
		top += s.root(SourceBundled, dir, notPlugins[:]...)
		platforms += s.root(SourceBundled, filepath.Join(dir, "platforms"))
	}
	s.log.Debug(fmt.Sprintf("  bundled (top-level): %d manifest(s)", top))
	s.log.Debug(fmt.Sprintf("  bundled/platforms: %d manifest(s)", platforms))
	user := o.Home.Plugins()
	s.log.Debug("Scanning user plugins: " + user)
	s.log.Debug(fmt.Sprintf("  user: %d manifest(s)", s.root(SourceUser, user)))
	if config.Truthy(o.Getenv("HERMES_ENABLE_PROJECT_PLUGINS")) && o.Dir != "" {
		project := filepath.Join(o.Dir, ".hermes", "plugins")
		s.log.Debug("Scanning project plugins: " + project)
		s.log.Debug(fmt.Sprintf("  project: %d manifest(s)", s.root(SourceProject, project)))
	} else {
		s.log.Debug("Project plugins disabled (set HERMES_ENABLE_PROJECT_PLUGINS=1 to enable)")
	}
	s.log.Debug(fmt.Sprintf("  entrypoints: %d manifest(s)", s.sites(o.Sites)))
}

// resolve separates the plugins that count, in load order, from the rest.
func resolve(found []Found, lang locale.Lang) (winners, rest []Found) {
	place := map[string]int{}
	for _, f := range found {
		if f.dropped {
			rest = append(rest, f)
			continue
		}
		i, taken := place[f.Key]
		if !taken {
			place[f.Key] = len(winners)
			winners = append(winners, f)
			continue
		}
		loser := winners[i]
		winners[i] = f
		loser.lose(f, lang)
		rest = append(rest, loser)
	}
	used := map[string]bool{}
	for key := range place {
		used[key] = true
	}
	for i := range rest {
		rest[i].unique(used)
	}
	return winners, rest
}

// lose marks a plugin whose key another one took.
func (f *Found) lose(to Found, lang locale.Lang) {
	f.skip(lang, locale.FoundReplaced, SourceName(to.Source, lang), to.Dir)
	f.Replaced = true
}

// unique gives a row that does not count a key of its own, because rows are
// told apart by their keys.
func (f *Found) unique(used map[string]bool) {
	m := *f.Manifest
	key := m.Key
	for n := 1; used[m.Key]; n++ {
		m.Key = fmt.Sprintf("%s@%s", key, m.Source)
		if n > 1 {
			m.Key = fmt.Sprintf("%s@%s-%d", key, m.Source, n)
		}
	}
	used[m.Key] = true
	f.Manifest = &m
}

// skip makes the row one that is passed over, for a reason that is no fault.
func (f *Found) skip(lang locale.Lang, why locale.Msg, args ...any) {
	f.because(event.PluginSkipped, lang, why, args...)
}

func (f *Found) because(state string, lang locale.Lang, why locale.Msg, args ...any) {
	f.Load, f.State, f.Reason = false, state, why.In(lang, args...)
}

// fail makes the row a failed one.
func (f *Found) fail(lang locale.Lang, kind, file string, line int, why locale.Msg, args ...any) {
	f.because(event.PluginFailed, lang, why, args...)
	f.Error = problem(kind, why.In(locale.EN, args...), file, line)
}

// decide is the table of contract/plugins §3.3, first match wins, with the gate
// of decision D2 before a plugin is loaded.
func (f *Found) decide(o Options) {
	named := func(list []string) bool { return slices.Contains(list, f.Key) || slices.Contains(list, f.Name) }
	bundled := f.Source == SourceBundled
	switch {
	case o.SafeMode:
		f.skip(o.Lang, locale.FoundSafeMode)
	case named(o.Disabled):
		f.because(event.PluginDisabled, o.Lang, locale.FoundDisabled)
		f.RefError = locale.FoundDisabled.EN
		f.decision = fmt.Sprintf("Skipping disabled plugin '%s'", f.Key)
	case f.Kind == KindExclusive:
		f.skip(o.Lang, locale.FoundExclusive)
		f.RefError = locale.FoundExclusive.EN
		f.decision = fmt.Sprintf("Skipping '%s' (exclusive, handled by category discovery)", f.Key)
	case f.Kind == KindModelProvider:
		f.skip(o.Lang, locale.FoundModelProvider)
		f.decision = fmt.Sprintf("Skipping '%s' (model-provider, handled by providers/ discovery)", f.Key)
	case bundled && f.Kind == KindBackend:
		f.load(o)
	case bundled && f.Kind == KindPlatform:
		f.skip(o.Lang, locale.FoundPlatform)
		f.decision = fmt.Sprintf("Registered deferred platform loader: %s (plugin=%s)", f.platform(), f.Key)
	case named(o.Enabled):
		f.load(o)
	default:
		f.because(event.PluginFound, o.Lang, locale.FoundOff, f.Key)
		f.RefError = locale.FoundOff.In(locale.EN, f.Key)
		f.decision = fmt.Sprintf("Skipping '%s' (not in plugins.enabled)", f.Key)
	}
	f.setEnv(o)
}

// tell logs the decision.
func (f *Found) tell(log *slog.Logger) {
	switch f.State {
	case event.PluginFailed, event.PluginNeedsKey:
		log.Warn(f.decision)
	default:
		log.Debug(f.decision)
	}
}

// platform is the name under which a platform plugin is known.
func (f *Found) platform() string {
	if name, ok := strings.CutSuffix(f.Name, "-platform"); ok {
		return name
	}
	return filepath.Base(f.Dir)
}

// setEnv fills in which variables are set.
func (f *Found) setEnv(o Options) {
	for _, list := range [][]event.EnvVar{f.RequiresEnv, f.OptionalEnv} {
		for i := range list {
			list[i].Set = o.Getenv(list[i].Name) != ""
		}
	}
}

// load decides about a plugin that the user wants: the gate of its variables,
// and whether there is something to import.
func (f *Found) load(o Options) {
	f.setEnv(o)
	for _, v := range f.RequiresEnv {
		if !v.Set && !slices.Contains(f.Missing, v.Name) {
			f.Missing = append(f.Missing, v.Name)
		}
	}
	missing := strings.Join(f.Missing, ", ")
	gated := f.Kind == KindStandalone && f.Source != SourceBundled
	ignored := o.IgnoreRequiresEnv != nil && o.IgnoreRequiresEnv(f.Key)
	if missing != "" && gated && !ignored {
		f.because(event.PluginNeedsKey, o.Lang, locale.PluginMissingEnv, f.Name, missing)
		f.RefError = "missing: " + missing
		f.decision = locale.PluginMissingEnv.In(locale.EN, f.Name, missing)
		return
	}
	if f.Entry != "" && !isFile(filepath.Join(f.Dir, f.Entry)) {
		f.fail(o.Lang, "FileNotFoundError", f.Dir, 0, locale.FoundNoInit, f.Dir)
		f.RefError = f.Error.Message
		f.decision = fmt.Sprintf("Failed to load plugin '%s': %s", f.Name, f.RefError)
		return
	}
	f.Load, f.State = true, event.PluginStarting
	f.decision = fmt.Sprintf("Loading plugin '%s' (source=%s, kind=%s, path=%s)", f.Key, f.Source, f.Kind, f.Dir)
	switch {
	case missing == "":
	case gated:
		f.Notices = append(f.Notices, locale.FoundIgnoresEnv.In(o.Lang, missing, f.Key))
	default:
		f.Reason = locale.FoundNeedsEnv.In(o.Lang, missing)
	}
}

// Plugin is the row as an event carries it. Its slices are fresh.
func (f Found) Plugin() event.Plugin {
	return event.Plugin{
		Key: f.Key, Name: f.Name, Version: f.Version, Description: f.Description, Author: f.Author,
		Kind: f.Kind, Source: f.Source, Path: f.Dir, State: f.State, Reason: f.Reason, Error: f.Error,
		Missing: slices.Clone(f.Missing), RequiresEnv: slices.Clone(f.RequiresEnv),
		ProvidesTools: slices.Clone(f.ProvidesTools), ProvidesHooks: slices.Clone(f.ProvidesHooks), Notices: slices.Clone(f.Notices),
		Bundled: f.Source == SourceBundled,
	}
}

// SourceName names a source in words.
func SourceName(source string, lang locale.Lang) string {
	switch source {
	case SourceBundled:
		return locale.SourceBundled.In(lang)
	case SourceProject:
		return locale.SourceProject.In(lang)
	case SourceEntryPoint:
		return locale.SourceEntryPoint.In(lang)
	}
	return locale.SourceUser.In(lang)
}

// Resolve returns the key that a user means by name: a key, a manifest name, or
// the last part of a nested key when only one plugin has it. ok is false when
// none or several fit.
func Resolve(found []Found, name string) (key string, ok bool) {
	for _, match := range []func(Found) bool{
		func(f Found) bool { return f.Key == name },
		func(f Found) bool { return f.Name == name },
		func(f Found) bool { return strings.HasSuffix(f.Key, "/"+name) },
	} {
		var hits []string
		for _, f := range found {
			if !f.Replaced && !f.dropped && match(f) {
				hits = append(hits, f.Key)
			}
		}
		if len(hits) > 0 {
			return hits[0], len(hits) == 1
		}
	}
	return "", false
}
