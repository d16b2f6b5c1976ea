package files

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
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

// xlsx is the sheets of a workbook in its order, cells separated by tabs.
func xlsx(data []byte) (string, bool) {
	z, ok := openZip(data)
	if !ok {
		return "", false
	}
	shared := sharedStrings(part(z, "xl/sharedStrings.xml"))
	list := worksheets(z)
	if len(list) == 0 {
		return "", false
	}
	var b strings.Builder
	for i, w := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "# --- sheet: %s\n", w.name)
		if !sheet(&b, part(z, w.part), shared) {
			return "", false
		}
	}
	return b.String(), true
}

// worksheet is a sheet's name and the part that holds it.
type worksheet struct{ name, part string }

// worksheets are the sheets as the workbook names them, or as their files are
// called when it does not say.
func worksheets(z *zip.Reader) []worksheet {
	var book struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	var rels struct {
		List []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	var out []worksheet
	if xml.Unmarshal(part(z, "xl/workbook.xml"), &book) == nil && xml.Unmarshal(part(z, "xl/_rels/workbook.xml.rels"), &rels) == nil {
		targets := map[string]string{}
		for _, r := range rels.List {
			targets[r.ID] = strings.TrimPrefix(path.Join("/xl", r.Target), "/")
			if strings.HasPrefix(r.Target, "/") {
				targets[r.ID] = strings.TrimPrefix(path.Clean(r.Target), "/")
			}
		}
		for _, s := range book.Sheets {
			if t := targets[s.ID]; t != "" {
				out = append(out, worksheet{s.Name, t})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, f := range z.File {
		if strings.HasPrefix(f.Name, "xl/worksheets/sheet") && strings.HasSuffix(f.Name, ".xml") {
			out = append(out, worksheet{strings.TrimSuffix(path.Base(f.Name), ".xml"), f.Name})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if len(out[i].part) != len(out[j].part) {
			return len(out[i].part) < len(out[j].part) // sheet2 before sheet10
		}
		return out[i].part < out[j].part
	})
	return out
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

// maxColumns bounds how many cells of a row are shown.
const maxColumns = 256

func sheet(b *strings.Builder, data []byte, shared []string) bool {
	var doc struct {
		Rows []struct {
			Cells []cell `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if xml.Unmarshal(data, &doc) != nil {
		return false
	}
	for _, r := range doc.Rows {
		at := 0
		for _, c := range r.Cells {
			col := column(c.Ref)
			if col < at {
				col = at // no reference, or none that makes sense
			}
			if col >= maxColumns {
				break
			}
			if at > 0 || col > 0 {
				b.WriteString(strings.Repeat("\t", col-max(at-1, 0)))
			}
			b.WriteString(strings.NewReplacer("\n", " ", "\t", " ").Replace(c.text(shared)))
			at = col + 1
		}
		b.WriteByte('\n')
	}
	return true
}

// cell is one cell of a sheet.
type cell struct {
	Ref    string   `xml:"r,attr"` // C7
	Type   string   `xml:"t,attr"`
	Value  string   `xml:"v"`
	Inline string   `xml:"is>t"`
	Runs   []string `xml:"is>r>t"`
}

func (c cell) text(shared []string) string {
	switch n, err := strconv.Atoi(c.Value); {
	case c.Type == "inlineStr":
		return c.Inline + strings.Join(c.Runs, "")
	case c.Type == "s" && err == nil && n >= 0 && n < len(shared):
		return shared[n]
	case c.Type == "b" && err == nil:
		return strings.ToUpper(strconv.FormatBool(n != 0))
	}
	return c.Value
}

// column is the number of the column that a reference names, from 0; -1 for no
// reference.
func column(ref string) int {
	n := 0
	for _, r := range ref {
		if r < 'A' || r > 'Z' || n > maxColumns*26 {
			break
		}
		n = n*26 + int(r-'A') + 1
	}
	return n - 1
}
