package files

import (
	"io/fs"
	"sync"
	"time"

	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// region is a part of a file as a session asked for it.
type region struct {
	session, path string
	offset, limit int
}

// state tells whether a file has changed.
type state struct {
	size int64
	mod  time.Time
}

// seen remembers what sessions have read, so that a model that reads the same
// again is told so instead of being sent it again (contract/core-observed §3).
type seen struct {
	mu    sync.Mutex
	reads map[region]*readState
	known map[file]state // files as sessions last read or wrote them
}

// file is a file as a session knows it.
type file struct{ session, path string }

type readState struct {
	state
	times int
}

func stateOf(info fs.FileInfo) state { return state{info.Size(), info.ModTime()} }

// again reports whether the region was read before and the file is the same,
// and then what to answer.
func (s *seen) again(r region, info fs.FileInfo, written string) (tool.Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.reads[r]
	if st == nil || st.state != stateOf(info) {
		return tool.Result{}, false
	}
	st.times++
	if st.times == 2 {
		return result.JSON(struct {
			Status   string `json:"status"`
			Message  string `json:"message"`
			Path     string `json:"path"`
			Dedup    bool   `json:"dedup"`
			Returned bool   `json:"content_returned"`
		}{"unchanged", "File unchanged since last read. Its content stands in the earlier result; use that.", written, true, false}), true
	}
	return result.JSON(struct {
		Error string `json:"error"`
		Path  string `json:"path"`
		Times int    `json:"already_read"`
	}{
		"BLOCKED: You have called read_file on this exact region " + tool.Thousands(st.times) + " times and the file has NOT changed. Go on with what you have already read.",
		written, st.times,
	}), true
}

// note remembers a region that was returned.
func (s *seen) note(r region, info fs.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reads == nil {
		s.reads = map[region]*readState{}
	}
	s.reads[r] = &readState{stateOf(info), 1}
	s.know(file{r.session, r.path}, info)
}

func (s *seen) know(f file, info fs.FileInfo) {
	if s.known == nil {
		s.known = map[file]state{}
	}
	s.known[f] = stateOf(info)
}

// changed reports whether a file that the session knows is not as it was.
func (s *seen) changed(session, path string, info fs.FileInfo) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, ok := s.known[file{session, path}]
	return ok && was != stateOf(info)
}

// written remembers a file that the session changed; regions of it may be read
// again.
func (s *seen) written(session, path string, info fs.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.reads {
		if r.path == path {
			delete(s.reads, r)
		}
	}
	s.know(file{session, path}, info)
}
