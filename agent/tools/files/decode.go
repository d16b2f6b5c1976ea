package files

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decode makes text of a file's bytes; ok is false when they are none. note
// says what the reader should know.
func decode(ext string, data []byte) (text, note string, ok bool) {
	switch strings.ToLower(ext) {
	case ".ipynb":
		if text, ok := notebook(data); ok {
			return text, "Shown as text: the cells of a notebook.", true
		}
	case ".docx":
		if text, ok := docx(data); ok {
			return text, "Shown as text: the paragraphs of a document.", true
		}
	case ".xlsx":
		if text, ok := xlsx(data); ok {
			return text, "Shown as text: the cells of a workbook, separated by tabs.", true
		}
	}
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return utf16Text(data[2:], binary.LittleEndian), "Decoded from UTF-16.", true
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return utf16Text(data[2:], binary.BigEndian), "Decoded from UTF-16.", true
	case bytes.IndexByte(data[:min(len(data), 8192)], 0) >= 0:
		return "", "", false
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if utf8.Valid(data) {
		return string(data), "", true
	}
	if !mostlyText(data) {
		return "", "", false
	}
	return strings.ToValidUTF8(string(data), "\ufffd"), "This file is not UTF-8; bytes that could not be decoded are shown as \ufffd.", true
}

// mostlyText reports whether undecodable bytes are few, as in a text in an old
// encoding, and control characters fewer.
func mostlyText(data []byte) bool {
	sample := data[:min(len(data), 8192)]
	control := 0
	for _, b := range sample {
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' && b != '\f' && b != 0x1b {
			control++
		}
	}
	return control*50 < len(sample)
}

func utf16Text(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

// kind names the sort of a binary file: its extension, else what it looks like.
func kind(path string, data []byte) string {
	if ext := filepath.Ext(path); ext != "" {
		return ext
	}
	return http.DetectContentType(data[:min(len(data), 512)])
}

// notebook is the cells of a Jupyter notebook as text.
func notebook(data []byte) (string, bool) {
	var nb struct {
		Cells []struct {
			Type    string          `json:"cell_type"`
			Source  json.RawMessage `json:"source"`
			Outputs []struct {
				Text json.RawMessage            `json:"text"`
				Data map[string]json.RawMessage `json:"data"`
			} `json:"outputs"`
		} `json:"cells"`
	}
	if json.Unmarshal(data, &nb) != nil || nb.Cells == nil {
		return "", false
	}
	var b strings.Builder
	for i, c := range nb.Cells {
		fmt.Fprintf(&b, "# --- cell %d (%s)\n%s\n", i+1, c.Type, strings.TrimRight(joined(c.Source), "\n"))
		for _, o := range c.Outputs {
			out := joined(o.Text)
			if out == "" {
				out = joined(o.Data["text/plain"])
			}
			if out != "" {
				fmt.Fprintf(&b, "# output:\n%s\n", strings.TrimRight(out, "\n"))
			}
		}
	}
	return b.String(), true
}

// joined reads a text that is stored whole or as a list of lines.
func joined(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return strings.Join(list, "")
	}
	return ""
}
