package plugins

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/tool"
)

func shownParts(parts []tool.Part) string {
	var out []string
	for _, p := range parts {
		if p.Image != nil {
			out = append(out, fmt.Sprintf("<%s %s %x>", p.Image.MIME, p.Image.URL, p.Image.Data))
			continue
		}
		out = append(out, p.Text)
	}
	return strings.Join(out, "|")
}

func TestMultimodalResults(t *testing.T) {
	r := rigWith(t, map[string]string{"look": toolPlugin("look", `
forms = {
    "chat": {"content": [{"type": "text", "text": "ä dot"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0="}}], "text_summary": "a summary"},
    "responses": {"content": [{"type": "input_text", "text": "a"}, "b", {"type": "input_image", "image_url": "https://example.com/x.png"}]},
    "blocks": {"content": [{"type": "image", "source": {"type": "base64", "media_type": "image/gif", "data": "R0lG"}}]},
    "broken": {"content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,###"}}, {"type": "sound"}, 7, {"type": "text", "text": "left"}]},
    "huge": {"content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64," + "AAAA" * (11 << 20)}}], "text_summary": "too large"},
    "no list": {"content": "text"},
}
return dict(forms[args["form"]], _multimodal=True)`)}, nil).start()
	for _, c := range []struct{ form, content, parts string }{
		{"chat", "a summary", "ä dot|<image/png  89504e470d>"},
		{"responses", "a\nb", "a|b|< https://example.com/x.png >"},
		{"blocks", "[1 picture]", "<image/gif  474946>"},
		{"broken", "left", "left"},
		{"huge", "too large\n\n[Pictures left out: they have more than 41943040 characters.]", ""},
	} {
		got := r.call("look", `{"form": "`+c.form+`"}`)
		if got.Content != c.content || shownParts(got.Parts) != c.parts {
			t.Errorf("%s: %q %s\nwant %q %s", c.form, got.Content, shownParts(got.Parts), c.content, c.parts)
		}
		if got.Err != nil {
			t.Errorf("%s: %+v", c.form, got.Err)
		}
	}
	if !r.log.contains(`Tool look returned a part that cannot be sent: content[2]: neither a text nor a mapping of a part: 7`) {
		t.Error("the log says nothing of the part that was left out")
	}
	if got := r.call("look", `{"form": "no list"}`); got.Err == nil || !strings.Contains(got.Content, `"tool_result_contract"`) {
		t.Errorf("content that is no list: %+v", got)
	}
	if p := r.plugin("look"); p.State != event.PluginOK {
		t.Errorf("look = %s", p.State)
	}
}

func FuzzContentParts(f *testing.F) {
	for _, seed := range []string{
		`[]`, `null`, `["a", {"type": "text", "text": "b"}]`, `{"type": "text"}`, `[{"type": "image", "source": {"type": "url", "url": "x"}}]`,
		`[{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0="}}]`, `[{"type": "image_url", "image_url": "data:,x"}]`, `[[[]]]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		parts, faults := contentParts(json.RawMessage(raw))
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(parts)+len(faults) != len(list) {
			t.Errorf("%d parts and %d faults of %d entries", len(parts), len(faults), len(list))
		}
		for _, p := range parts {
			if p.Image != nil && p.Image.URL == "" && len(p.Image.Data) == 0 {
				t.Errorf("an empty picture: %+v", p)
			}
		}
	})
}
