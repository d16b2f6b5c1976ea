package agent

import (
	"encoding/json"
	"strings"
	"time"

	"hermes/agent/event"
)

// handed is a task that a tool took on to answer later: its result says
// accepted and names the task.
type handed struct {
	session, call, task string
	timer               *time.Timer
}

// acceptedTask is the id of the task when a result says that the tool took one
// on, "" otherwise.
func acceptedTask(result string) string {
	var r struct {
		Status string          `json:"status"`
		Task   json.RawMessage `json:"task_id"`
	}
	if !strings.Contains(result, "accepted") || json.Unmarshal([]byte(result), &r) != nil || r.Status != "accepted" {
		return ""
	}
	var id string
	if json.Unmarshal(r.Task, &id) != nil {
		id = strings.TrimSpace(string(r.Task)) // a number
	}
	if id == "null" {
		return ""
	}
	return id
}

// handOver remembers a task until a message names it, its time is over or the
// session ends.
func (a *Agent) handOver(session, call, task string, limit time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return
	}
	h := &handed{session: session, call: call, task: task}
	h.timer = time.AfterFunc(limit, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.settle(func(x *handed) bool { return x == h }, event.SettledNoAnswer, "")
	})
	a.handed = append(a.handed, h)
}

// settle ends the tasks for which ok is true. Called with mu held.
func (a *Agent) settle(ok func(*handed) bool, status, text string) {
	var left []*handed
	for _, h := range a.handed {
		if !ok(h) {
			left = append(left, h)
			continue
		}
		h.timer.Stop()
		a.emit(event.ToolSettled{
			Meta: event.Meta{Session: h.session}, Call: h.call, Task: h.task, Status: status,
			Text: preview(a.o.Redact(visible(text))),
		})
	}
	a.handed = left
}

// settleBy ends the tasks that a message names. Called with mu held.
func (a *Agent) settleBy(text string) {
	a.settle(func(h *handed) bool { return names(text, h.task) }, event.SettledAnswered, text)
}

// names reports whether text holds id as a word of its own.
func names(text, id string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], id)
		if i < 0 {
			return false
		}
		i += from
		if !wordAt(text, i-1) && !wordAt(text, i+len(id)) {
			return true
		}
		from = i + 1
	}
}

func wordAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}

// ForgetTasks says that what tools took on will not be answered: the host of
// the plugins was started anew.
func (a *Agent) ForgetTasks() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.settle(func(*handed) bool { return true }, event.SettledNoAnswer, "")
}
