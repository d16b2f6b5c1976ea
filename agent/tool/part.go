package tool

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// Part is a piece of a result that is more than text: a text or a picture.
type Part struct {
	Text  string
	Image *Image // nil for a text
}

// Image is a picture, by its bytes or by a URL that the model's service
// fetches.
type Image struct {
	MIME string // image/png …
	Data []byte
	URL  string // used when Data is empty
}

// ImageAt is the picture at url, which may hold the picture itself (data:).
func ImageAt(url string) (*Image, error) {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		return &Image{URL: url}, nil
	}
	kind, data, ok := strings.Cut(rest, ",")
	kind, isBase64 := strings.CutSuffix(kind, ";base64")
	if !ok || !isBase64 {
		return nil, fmt.Errorf("no base64 in the URL %.40q", url)
	}
	return ImageOf(kind, data)
}

// ImageOf is the picture whose bytes are given in base64.
func ImageOf(mime, data string) (*Image, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(data))
	if err != nil {
		return nil, fmt.Errorf("a picture's data is no base64: %w", err)
	}
	if len(raw) == 0 {
		return nil, fmt.Errorf("a picture of type %q has no data", mime)
	}
	return &Image{MIME: mime, Data: raw}, nil
}

// Address is m as a URL: its own, or one that holds its bytes.
func (m *Image) Address() string {
	if len(m.Data) == 0 {
		return m.URL
	}
	return "data:" + m.MIME + ";base64," + base64.StdEncoding.EncodeToString(m.Data)
}
