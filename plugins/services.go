package plugins

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"hermes/agent/tool"
	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// Services is what plugins may ask of the program. Its methods may be called
// from any goroutine, also while a turn runs.
type Services interface {
	// CallTool takes a call through the whole pipeline on behalf of from, whose
	// Session may be empty, and returns what the model would get.
	CallTool(ctx context.Context, from tool.Call, name string, args json.RawMessage) string
	// Inject puts a message into the conversation, behind a turn that runs. It
	// reports false when there is no conversation to put it into.
	Inject(text string) bool
	// Ask is the way to the user; nil when nobody can answer.
	Ask() tool.AskFunc
}

// maxNested is how deep tools may call tools by dispatch_tool, hooks of these
// calls included (decision D11).
const maxNested = 8

// nested is a dispatch_tool that waits for its answer. The chain of them
// travels with the context of what is done for it.
type nested struct {
	up    *nested
	proc  *host.Process
	id    json.RawMessage // of the host's request
	depth int
}

type nestedKey struct{}

func nestedIn(ctx context.Context) *nested {
	n, _ := ctx.Value(nestedKey{}).(*nested)
	return n
}

// parentIn is the request of proc whose thread waits for what is done with ctx:
// calls into proc run on that thread, which would otherwise wait for itself.
func parentIn(ctx context.Context, proc *host.Process) json.RawMessage {
	for n := nestedIn(ctx); n != nil; n = n.up {
		if n.proc == proc {
			return n.id
		}
	}
	return nil
}

// errand is a call into plugin code that runs now.
type errand struct {
	ctx    context.Context
	proc   *host.Process
	id     uint64
	plugin string
	from   tool.Call // on whose behalf
}

// errands are those that run now, in the order of their start.
type errands struct {
	mu   sync.Mutex
	list []*errand
}

func (e *errands) add(one *errand) {
	e.mu.Lock()
	e.list = append(e.list, one)
	e.mu.Unlock()
}

func (e *errands) remove(one *errand) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, o := range e.list {
		if o == one {
			e.list = append(e.list[:i:i], e.list[i+1:]...)
			return
		}
	}
}

// of finds the errand that a request comes from: the one that its thread
// carries out, else the latest of the plugin, whose code started the thread.
func (e *errands) of(proc *host.Process, job uint64, plugin string) (one *errand, sure bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := len(e.list) - 1; i >= 0; i-- {
		o := e.list[i]
		if o.proc != proc {
			continue
		}
		if job != 0 && o.id == job {
			return o, true
		}
		if job == 0 && o.plugin == plugin {
			return o, false
		}
	}
	return nil, false
}

// askFor is ask for a call into plugin code that may call back: from is on whose
// behalf it is made.
func (m *Manager) askFor(ctx context.Context, proc *host.Process, key string, from tool.Call, c rpc.Call, out any) error {
	one := &errand{ctx: ctx, proc: proc, plugin: key, from: from}
	sent := c.Sent
	c.Sent = func(id uint64) {
		one.id = id
		m.errands.add(one)
		if sent != nil {
			sent(id)
		}
	}
	defer m.errands.remove(one)
	return m.ask(ctx, proc, key, c, out)
}

// onBehalf is the call that plugin code makes which runs for a session, and not
// for a call of the model.
func (m *Manager) onBehalf(s subject) tool.Call {
	c := tool.Call{Session: s.Session, Task: s.Session, Turn: s.Turn}
	if m.opt.Services != nil {
		c.Ask = m.opt.Services.Ask()
	}
	return c
}

// serve carries out what a host asks for.
func (l *link) serve(ctx context.Context, r rpc.Request) (any, error) {
	m, proc := l.u.m, l.u.live()
	services := m.opt.Services
	switch r.Method {
	case bridge.MethodDispatch:
		var d bridge.Dispatch
		if err := json.Unmarshal(r.Params, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Method, err)
		}
		if services == nil || proc == nil {
			return nil, &rpc.Error{Code: rpc.CodeStopping, Message: "there is no agent to call tools"}
		}
		return bridge.Dispatched{Content: m.dispatch(ctx, proc, r.ID, d)}, nil
	case bridge.MethodInject:
		var i bridge.Inject
		if err := json.Unmarshal(r.Params, &i); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Method, err)
		}
		return bridge.Injected{OK: services != nil && m.inject(services, i)}, nil
	}
	return nil, &rpc.Error{Code: rpc.CodeMethodNotFound, Message: "unknown method " + r.Method}
}

// dispatch runs a tool for a plugin. The call ends with the one that it is made
// in; one of a thread that the plugin keeps goes on without that.
func (m *Manager) dispatch(ctx context.Context, proc *host.Process, id json.RawMessage, d bridge.Dispatch) string {
	one, sure := m.errands.of(proc, d.Job, d.Plugin)
	from := tool.Call{Ask: m.opt.Services.Ask()}
	base := ctx
	if one != nil {
		from, base = one.from, one.ctx
		if !sure {
			base = context.WithoutCancel(base)
		}
	}
	if d.Task != "" {
		from.Task = d.Task
	}
	n := &nested{up: nestedIn(base), proc: proc, id: id, depth: 1}
	if n.up != nil {
		n.depth = n.up.depth + 1
	}
	if n.depth > maxNested {
		m.log.Warn(fmt.Sprintf("dispatch_tool of %s refused: %d calls within each other", d.Name, maxNested), "plugin", d.Plugin)
		return fmt.Sprintf(`{"error": "dispatch_tool was called %d times within itself; the call was not made"}`, maxNested)
	}
	callCtx, cancel := context.WithCancel(context.WithValue(base, nestedKey{}, n))
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	return m.opt.Services.CallTool(callCtx, from, m.dispatched(d.Name), d.Args)
}

// dispatched is the tool that a name of dispatch_tool means: the guide's
// file_edit is patch, unless a plugin has one of that name (decision D30).
func (m *Manager) dispatched(name string) string {
	if name != "file_edit" {
		return name
	}
	if _, ok := m.opt.Tools.Get(name); ok {
		return name
	}
	return "patch"
}

// inject puts a plugin's message into the conversation. Nothing is said by an
// empty one.
func (m *Manager) inject(services Services, i bridge.Inject) bool {
	text := i.Content
	if i.Role != "user" {
		text = "[" + i.Role + "] " + text
	}
	m.log.Debug("Plugin injected a message", "plugin", i.Plugin, "chars", len(text))
	if strings.TrimSpace(text) == "" {
		return true
	}
	return services.Inject(text)
}
