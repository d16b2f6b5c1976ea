package tool

import (
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Registry holds the tools that exist now. The zero value is not usable; see
// NewRegistry. All methods may be called from any goroutine.
type Registry struct {
	mu      sync.RWMutex
	tools   map[string]Tool
	version uint64
	changed func()
}

// NewRegistry returns an empty registry. changed, when not nil, is called
// after every change, outside the lock, on the goroutine that made it.
func NewRegistry(changed func()) *Registry {
	return &Registry{tools: map[string]Tool{}, changed: changed}
}

// ShadowError says that a registration was refused because the name belongs to
// a tool of another toolset.
type ShadowError struct {
	Name, Toolset, Existing string
	BuiltIn                 bool
}

func (e *ShadowError) Error() string {
	return fmt.Sprintf("Tool registration REJECTED: '%s' (toolset '%s') would shadow existing tool from toolset '%s'. Pass override=True to register() if the replacement is intentional, or deregister the existing tool first.", e.Name, e.Toolset, e.Existing)
}

// Add registers t. A free name is taken; a name of the same toolset is
// replaced; a name of another toolset is refused with a *ShadowError unless
// override is set. It returns the tool that was replaced, nil when none was.
func (r *Registry) Add(t Tool, override bool) (replaced Tool, err error) {
	s := t.Spec()
	r.mu.Lock()
	old, taken := r.tools[s.Name]
	if taken && !override {
		if o := old.Spec(); o.Toolset != s.Toolset {
			r.mu.Unlock()
			return nil, &ShadowError{Name: s.Name, Toolset: s.Toolset, Existing: o.Toolset, BuiltIn: o.Owner == ""}
		}
	}
	r.tools[s.Name] = t
	r.version++
	r.mu.Unlock()
	r.notify()
	if taken {
		return old, nil
	}
	return nil, nil
}

// Remove takes name out if its tool belongs to owner.
func (r *Registry) Remove(name, owner string) bool {
	r.mu.Lock()
	t, ok := r.tools[name]
	ok = ok && t.Spec().Owner == owner
	if ok {
		delete(r.tools, name)
		r.version++
	}
	r.mu.Unlock()
	if ok {
		r.notify()
	}
	return ok
}

func (r *Registry) notify() {
	if r.changed != nil {
		r.changed()
	}
}

// Get returns the tool of that name.
func (r *Registry) Get(name string) (Tool, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	t, ok := r.tools[name]
	return t, ok
}

// All returns every tool, sorted by name.
func (r *Registry) All() []Tool {
	r.mu.RLock()
	out := make([]Tool, 0, len(r.tools))
	for _, t := range r.tools {
		out = append(out, t)
	}
	r.mu.RUnlock()
	sort.Slice(out, func(i, j int) bool { return out[i].Spec().Name < out[j].Spec().Name })
	return out
}

// Names returns every name, sorted and joined with commas, as the error for an
// unknown tool lists them.
func Names(ts []Tool) string {
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = t.Spec().Name
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}

// Version counts changes, so that a caller can tell a stale copy.
func (r *Registry) Version() uint64 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version
}
