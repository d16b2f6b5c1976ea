package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// pictures are those that wait for the text that they belong to.
type pictures struct {
	mu   sync.Mutex
	list []llm.Image
}

func (p *pictures) add(img llm.Image) {
	p.mu.Lock()
	p.list = append(p.list, img)
	p.mu.Unlock()
}

// take returns what waits, and forgets it.
func (p *pictures) take() []llm.Image {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.list
	p.list = nil
	return list
}

// maxPicture is the most that services take for one picture, in megabytes.
const maxPicture = 20

// ReadImage reads a picture from a file; a relative path is below dir.
func ReadImage(lang locale.Lang, dir, path string) (llm.Image, error) {
	path = strings.Trim(path, `"'`)
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return llm.Image{}, fmt.Errorf("read the picture: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPicture<<20+1))
	if err != nil {
		return llm.Image{}, fmt.Errorf("read the picture: %w", err)
	}
	if len(data) > maxPicture<<20 {
		return llm.Image{}, errors.New(locale.ImageLarge.In(lang, path, maxPicture))
	}
	switch kind := http.DetectContentType(data); kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return llm.Image{MIME: kind, Data: data}, nil
	default:
		return llm.Image{}, errors.New(locale.ImageBad.In(lang, path, kind))
	}
}

// cmdImage attaches a picture to the next text.
func (rt *Runtime) cmdImage(_ context.Context, path string) (commandOutput, error) {
	lang := rt.Lang()
	if path == "" {
		return commandOutput{}, errors.New(locale.CmdNeedsText.In(lang, "/image"))
	}
	img, err := ReadImage(lang, rt.opt.Dir, path)
	if err != nil {
		return commandOutput{}, err
	}
	rt.pictures.add(img)
	return commandOutput{text: locale.ImageAttached.In(lang, filepath.Base(path), fmt.Sprintf("%d KB", (len(img.Data)+1023)/1024))}, nil
}
