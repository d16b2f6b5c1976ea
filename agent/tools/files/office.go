package files

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
)

// maxPart bounds an unpacked part of an office file, in bytes: a small archive
// can unpack to more than memory holds.
const maxPart = 32 << 20

func openZip(data []byte) (*zip.Reader, bool) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	return z, err == nil
}

func part(z *zip.Reader, name string) []byte {
	f, err := z.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, maxPart))
	if err != nil {
		return nil
	}
	return data
}

// docx is the paragraphs of a Word document.
func docx(data []byte) (string, bool) {
	z, ok := openZip(data)
	if !ok {
		return "", false
	}
	doc := part(z, "word/document.xml")
	if doc == nil {
		return "", false
	}
	var b strings.Builder
	inText := false
	err := walkXML(doc, func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				inText = true
			case "tab":
				b.WriteByte('\t')
			case "br":
				b.WriteByte('\n')
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				inText = false
			case "p":
				b.WriteByte('\n')
			}
		case xml.CharData:
			if inText {
				b.Write(t)
			}
		}
	})
	return b.String(), err == nil
}

func walkXML(data []byte, visit func(xml.Token)) error {
	dec := xml.NewDecoder(bytes.NewReader(data))
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read XML: %w", err)
		}
		visit(t)
	}
}

// xlsx is the sheets of a workbook, cells separated by tabs.
func xlsx(data []byte) (string, bool) {
	z, ok := openZip(data)
	if !ok {
		return "", false
	}
	shared := sharedStrings(part(z, "xl/sharedStrings.xml"))
	var names []string
	for _, f := range z.File {
		if strings.HasPrefix(f.Name, "xl/worksheets/sheet") && strings.HasSuffix(f.Name, ".xml") {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return "", false
	}
	sort.Slice(names, func(i, j int) bool {
		if len(names[i]) != len(names[j]) {
			return len(names[i]) < len(names[j]) // sheet2 before sheet10
		}
		return names[i] < names[j]
	})
	var b strings.Builder
	for i, n := range names {
		fmt.Fprintf(&b, "# --- sheet %d\n", i+1)
		if !sheet(&b, part(z, n), shared) {
			return "", false
		}
	}
	return b.String(), true
}

func sharedStrings(data []byte) []string {
	var doc struct {
		Items []struct {
			Text string   `xml:"t"`
			Runs []string `xml:"r>t"`
		} `xml:"si"`
	}
	if xml.Unmarshal(data, &doc) != nil {
		return nil
	}
	out := make([]string, len(doc.Items))
	for i, it := range doc.Items {
		out[i] = it.Text + strings.Join(it.Runs, "")
	}
	return out
}

func sheet(b *strings.Builder, data []byte, shared []string) bool {
	var doc struct {
		Rows []struct {
			Cells []struct {
				Type   string `xml:"t,attr"`
				Value  string `xml:"v"`
				Inline string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if xml.Unmarshal(data, &doc) != nil {
		return false
	}
	for _, r := range doc.Rows {
		for i, c := range r.Cells {
			if i > 0 {
				b.WriteByte('\t')
			}
			v := c.Value
			switch n, err := strconv.Atoi(v); {
			case c.Type == "inlineStr":
				v = c.Inline
			case c.Type == "s" && err == nil && n >= 0 && n < len(shared):
				v = shared[n]
			}
			b.WriteString(strings.ReplaceAll(v, "\n", " "))
		}
		b.WriteByte('\n')
	}
	return true
}
