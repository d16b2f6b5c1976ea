package agent

import (
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/catalog"
	"hermes/agent/store"
	"hermes/agent/tool"
)

// session is a conversation. Only the loop touches it.
type session struct {
	id      string
	history []llm.Message // without the system message
	system  string        // built at the first turn, and again for another model
	model   string        // the model and provider that system names
	began   time.Time     // when the system prompt was first built
	turns   int           // turns that began
	started bool          // on_session_start fired, or the session was resumed
	counted counted       // what the service last counted of the history
	cost    catalog.Cost  // so far
	// compressAgain is when a compression may be tried after one that failed.
	compressAgain time.Time
	title         string
	titling       bool            // a title was asked for
	compacted     bool            // a summary stands for the older part
	toldSmall     bool            // the user knows that a small window has fewer tools
	entered       map[string]bool // folders that calls went into
	parent        string          // the session that this one belongs to or left

	// What the store has.
	stored       bool // the session has a row
	saved        int  // messages of history that are stored
	storedSystem string
	unsaved      *store.Usage // counted, not yet stored
	readOnly     bool         // the store is not written
	toldUnsaved  bool         // the user knows that the session is not saved

	ids  map[string]bool
	defs map[string]cachedDef
}

// counted is the size of the conversation as a service counted it.
type counted struct {
	tokens int // of the request and its answer, 0 when nothing was counted
	at     int // how many messages of history that was
}

type cachedDef struct {
	spec string // what the definition was made of
	def  llm.ToolDef
}

func newSession(id string) *session {
	return &session{id: id, ids: map[string]bool{}, defs: map[string]cachedDef{}}
}

// define makes the definition of a tool as requests offer it. It is kept: a
// schema is parsed once, not at every request.
func (s *session) define(spec tool.Spec) llm.ToolDef {
	key := spec.Description + "\x00" + string(spec.Parameters) + "\x00" + string(spec.Schema)
	if c, ok := s.defs[spec.Name]; ok && c.spec == key {
		return c.def
	}
	d := tool.Define(spec)
	def := llm.ToolDef{Name: d.Name, Description: d.Description, Parameters: d.Parameters, Schema: d.Schema}
	s.defs[spec.Name] = cachedDef{key, def}
	return def
}
