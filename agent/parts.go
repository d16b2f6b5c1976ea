package agent

import (
	"encoding/json"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// shownPart is a piece of a result in the form that hooks get: the one in
// which handlers write it.
type shownPart struct {
	Type  string      `json:"type"`
	Text  *string     `json:"text,omitempty"`
	Image *shownImage `json:"image_url,omitempty"`
}

type shownImage struct {
	URL string `json:"url"`
}

// multimodal is a result with pictures as hooks get it (contract/plugins §6.3).
type multimodal struct {
	Mark    bool        `json:"_multimodal"`
	Content []shownPart `json:"content"`
	Summary string      `json:"text_summary"`
}

// shownResult is the result of an answer for hooks: its text, or the mapping
// of a multimodal one.
func (o *outcome) shownResult() any {
	if len(o.parts) == 0 {
		return o.result
	}
	m := multimodal{Mark: true, Summary: o.result}
	for _, p := range o.parts {
		if p.Image != nil {
			m.Content = append(m.Content, shownPart{Type: "image_url", Image: &shownImage{p.Image.Address()}})
		} else {
			m.Content = append(m.Content, shownPart{Type: "text", Text: &p.Text})
		}
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return o.result // texts and addresses always encode
	}
	return json.RawMessage(raw)
}

// tidyParts makes the texts among parts fit for JSON and takes secrets out.
func (p *pipeline) tidyParts(parts []tool.Part) []tool.Part {
	var out []tool.Part
	for _, part := range parts {
		if part.Image == nil {
			part.Text = p.a.o.Redact(tidy(part.Text))
		}
		out = append(out, part)
	}
	return out
}

// sentParts are the parts of the message that answers c, nil when it is text
// alone. note is what the program adds to the result, "" for nothing.
func (c *call) sentParts(note string) []llm.Part {
	if len(c.answer.parts) == 0 {
		return nil
	}
	var out []llm.Part
	for _, p := range c.answer.parts {
		switch {
		case p.Image != nil:
			out = append(out, llm.Part{Image: &llm.Image{MIME: p.Image.MIME, Data: p.Image.Data, URL: p.Image.URL}})
		case p.Text != "":
			out = append(out, llm.Part{Text: wrap(c.name, p.Text)})
		}
	}
	if note != "" {
		out = append(out, llm.Part{Text: note})
	}
	return out
}

// replaceWords puts text in the place of everything that the result has in
// words; pictures stay.
func (o *outcome) replaceWords(text string) {
	o.result = text
	if len(o.parts) == 0 {
		return
	}
	pictures := slices.DeleteFunc(slices.Clone(o.parts), func(p tool.Part) bool { return p.Image == nil })
	o.parts = append([]tool.Part{{Text: text}}, pictures...)
}

// words is what the result has in words: its text, or the longer of the summary
// and the texts of a multimodal one. Limits count these.
func (o *outcome) words() string {
	var texts []string
	for _, p := range o.parts {
		if p.Image == nil {
			texts = append(texts, p.Text)
		}
	}
	if joined := strings.Join(texts, "\n\n"); len(joined) > len(o.result) {
		return joined
	}
	return o.result
}
