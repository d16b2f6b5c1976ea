package wire

import (
	"errors"
	"maps"
	"regexp"
	"strings"
	"sync"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// Names of what can be left out beside the keys of a body.
const (
	Images    = "image_url"               // images in messages
	ToolName  = "name"                    // the name key of tool messages
	Reasoning = "reasoning_content"       // thoughts in assistant messages
	Thoughts  = "reasoning_content added" // left "out" means: must be sent
	Manual    = "thinking by budget"      // the older form of the thinking key
	System    = "system role"             // system messages
	Patterns  = "pattern"                 // regular expressions in schemas
	CallIDs   = "call ids"                // ids of another form than nine letters
)

// maxLeft bounds how many things one request may lose.
const maxLeft = 3

// Left remembers what a service refused by name. What is refused is left out
// in one more try and from then on, which a note says once. The zero value is
// ready; it is safe for concurrent use.
type Left struct {
	mu    sync.Mutex // guards what follows
	names map[string]bool
	notes []llm.Note // not yet said
}

// Has reports whether name is left out.
func (l *Left) Has(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.names[name]
}

// All is a copy of the names.
func (l *Left) All() map[string]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.names)
}

// Leave leaves name out without being told so by the service.
func (l *Left) Leave(name string) { l.add(name, nil) }

func (l *Left) add(name string, n *llm.Note) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.names[name] {
		return false
	}
	if l.names == nil {
		l.names = map[string]bool{}
	}
	l.names[name] = true
	if n != nil {
		l.notes = append(l.notes, *n)
	}
	return true
}

func (l *Left) takeNotes() []llm.Note {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.notes
	l.notes = nil
	return n
}

// Try sends r, and again without what the service refuses by name. carries
// lists the names that a request has.
func (l *Left) Try(model string, r llm.Request, carries func(llm.Request) []string, send func(llm.Request) (*llm.Response, error)) (*llm.Response, error) {
	var own []llm.Note
	if r.ToolChoice != "" && l.Has(choiceKey(r.ToolChoice)) {
		own = append(own, choiceNote(r.ToolChoice, model))
		r.ToolChoice = ""
	}
	resp, err := send(r)
	for range maxLeft {
		var e *llm.Error
		if err == nil || resp != nil || !errors.As(err, &e) {
			break
		}
		name := refusal(e, carries(r))
		switch {
		case name == "":
			return resp, err
		case name == "tool_choice" && r.ToolChoice != "":
			l.add(choiceKey(r.ToolChoice), nil)
			own = append(own, choiceNote(r.ToolChoice, model))
			r.ToolChoice = ""
		case !l.add(name, noteOf(name, model)):
			return resp, err // it was not sent, and is still refused
		}
		resp, err = send(r)
	}
	if resp != nil {
		resp.Notes = append(append(own, l.takeNotes()...), resp.Notes...)
	}
	return resp, err
}

func choiceKey(choice string) string { return "tool_choice " + choice }

func choiceNote(choice, model string) llm.Note {
	return llm.Note{Call: llm.WholeAnswer, Msg: locale.LLMNoChoice, Args: []any{choice, model}}
}

// noteOf is what the user is told, nil when nothing is lost.
func noteOf(name, model string) *llm.Note {
	n := &llm.Note{Call: llm.WholeAnswer, Msg: locale.LLMLeftOut, Args: []any{name, model}}
	switch name {
	case "tools":
		n.Msg, n.Args = locale.LLMNoTools, []any{model}
	case "stream":
		n.Msg, n.Args = locale.LLMNoStream, []any{model}
	case Images:
		n.Msg, n.Args = locale.LLMNoImages, []any{model}
	case "max_tokens", "stream_options", Thoughts, Manual, System, Patterns, ToolName, CallIDs, Reasoning, "cache_control", "reasoning_details":
		return nil // sent in another form, or of no use to the user
	}
	return n
}

var (
	// Wordings of services for a parameter that they do not take.
	refusedWords = lazy(`(?i)unsupported|not (currently |yet )?support|unrecogni[sz]ed|unknown|not permitted|not allowed|extra (inputs|fields)|unexpected|no longer|not enabled|not available|deprecated|not a valid|invalid|only (supported|available)|not accept|does not exist|cannot be (used|set|specified)|不支持|不允许|无效`)
	// … for tools as a whole, which no other error about tools may be taken for.
	noTools   = lazy(`(?i)not support (the )?(tools?|functions?)\b|not support (tool|function)[ -_](use|calls?|calling)|support (tool use|tool calling|function calling)|(tools?|tool[ -_](use|calls?|calling)|function[ -_]call(s|ing)?) (is|are) (not (supported|enabled|available)|unsupported|disabled)|requires? --jinja|enable-auto-tool-choice|unsupported parameter\W+tools\b|unknown (field|parameter|argument)\W+tools\b|tools\W+extra inputs|不支持.{0,8}(工具|函数|tool|function)`)
	noStream  = lazy(`(?i)\bstream(ing)?\b[^.]*(not supported|unsupported|not allowed|disabled|must be (set to )?false|not available)|not support stream`)
	noImages  = lazy(`(?i)(image|vision|multi-?modal)[^.]*(not support|unsupported|not allowed|only supported|invalid)|not support (image|vision|multi)|unknown variant .image_url.|content must be a string`)
	noSystem  = lazy(`(?i)system role[^.]*not support|not support[^.]*system (role|message|prompt)|only user and assistant roles are supported`)
	needs     = lazy(`(?i)reasoning_content[^.]*(must|missing|required)|(missing|requires?|must (contain|have|include))[^.]*reasoning_content`)
	noPattern = lazy(`(?i)(parse|parsing|invalid|unsupported)[^.]*grammar|grammar[^.]*(invalid|unsupported|failed)|failed to (initialize|parse) samplers|json schema conversion failed`)
	nineChars = lazy(`(?i)tool call id[^.]*length of 9`)
)

// refusal names what of a request the service refused, "" when it says
// nothing of the kind.
func refusal(e *llm.Error, carried []string) string {
	switch {
	case e.Kind != llm.ErrFormat && e.Kind != llm.ErrOutputCap && e.Kind != llm.ErrNotFound && e.Kind != llm.ErrServer:
		return ""
	case e.Kind == llm.ErrServer && e.Status != 500 && e.Status != 501:
		return ""
	}
	has := map[string]bool{}
	for _, name := range carried {
		has[name] = true
	}
	for _, w := range []struct {
		name string
		re   func() *regexp.Regexp
	}{
		{Thoughts, needs},
		{"tools", noTools},
		{CallIDs, nineChars},
		{"stream", noStream},
		{System, noSystem},
		{Patterns, noPattern},
		{Images, noImages},
	} {
		if has[w.name] && w.re().MatchString(e.Message) {
			if w.name == "tools" && has["tool_choice"] && mentions(e.Message, "tool_choice") {
				return "tool_choice"
			}
			return w.name
		}
	}
	if has[Manual] && mentions(e.Message, "adaptive") {
		return Manual
	}
	return refusedByName(e, carried)
}

// refusedByName looks for the name of a key in the error. A cap that is too
// high is no refusal of the cap.
func refusedByName(e *llm.Error, carried []string) string {
	if e.Kind == llm.ErrServer || !refusedWords().MatchString(e.Message) {
		return ""
	}
	for _, name := range carried {
		switch name {
		case "model", "messages", "input", "tools", "system", "stream", "instructions", Images, Patterns, System, Thoughts, Manual, CallIDs, ToolName:
			continue
		case "max_tokens":
			if e.Kind == llm.ErrOutputCap && !strings.Contains(e.Message, "max_completion_tokens") {
				continue
			}
		}
		if e.Param == name || mentions(e.Message, name) || strings.HasSuffix(e.Param, "."+name) {
			return name
		}
	}
	if at := regexp.MustCompile(`(?i)(property|field|parameter)\W{1,3}name\b`); at.MatchString(e.Message) || strings.HasSuffix(e.Param, ".name") {
		for _, name := range carried {
			if name == ToolName {
				return name
			}
		}
	}
	return ""
}

// mentions reports whether s has name as a word of its own.
func mentions(s, name string) bool {
	for rest := s; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !wordByte(rest[i-1])) && (end == len(rest) || !wordByte(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func wordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_'
}
