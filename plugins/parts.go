package plugins

import (
	"encoding/json"
	"fmt"

	"hermes/agent/tool"
)

// wirePart is a content part as handlers write it: those of chat completions
// and of the Responses API, and Anthropic's blocks.
type wirePart struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	ImageURL json.RawMessage `json:"image_url"` // {"url": …}, or the URL alone
	Source   *struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
		URL       string `json:"url"`
	} `json:"source"`
}

// contentParts reads the content of a multimodal result. Parts that it cannot
// read are left out and told of, each with its place in the list.
func contentParts(raw json.RawMessage) (parts []tool.Part, faults []string) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, []string{"content is no list"}
	}
	for i, one := range list {
		part, err := contentPart(one)
		if err != nil {
			faults = append(faults, fmt.Sprintf("content[%d]: %v", i, err))
			continue
		}
		parts = append(parts, part)
	}
	return parts, faults
}

func contentPart(raw json.RawMessage) (tool.Part, error) {
	var text *string
	if json.Unmarshal(raw, &text) == nil && text != nil {
		return tool.Part{Text: *text}, nil
	}
	var p wirePart
	if json.Unmarshal(raw, &p) != nil {
		return tool.Part{}, fmt.Errorf("neither a text nor a mapping of a part: %.60s", raw)
	}
	var image *tool.Image
	var err error
	switch p.Type {
	case "text", "input_text", "output_text":
		return tool.Part{Text: p.Text}, nil
	case "image_url", "input_image":
		image, err = tool.ImageAt(p.url())
	case "image":
		image, err = p.source()
	default:
		return tool.Part{}, fmt.Errorf("unknown type %.40q (known: text, image_url, image)", p.Type)
	}
	switch {
	case err != nil:
		return tool.Part{}, err
	case image.URL == "" && len(image.Data) == 0:
		return tool.Part{}, fmt.Errorf("%s without a picture", p.Type)
	}
	return tool.Part{Image: image}, nil
}

// url is the address of an image_url part.
func (p wirePart) url() string {
	var whole struct {
		URL string `json:"url"`
	}
	if json.Unmarshal(p.ImageURL, &whole) == nil {
		return whole.URL
	}
	return str(p.ImageURL)
}

// source is the picture of an image block.
func (p wirePart) source() (*tool.Image, error) {
	switch {
	case p.Source == nil:
		return tool.ImageAt(p.url())
	case p.Source.Type == "url":
		return tool.ImageAt(p.Source.URL)
	}
	return tool.ImageOf(p.Source.MediaType, p.Source.Data)
}
