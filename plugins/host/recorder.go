package host

import (
	"bytes"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
)

// Sizes of the flight recorder, in bytes; recorder.py writes them.
const (
	recorderWidth  = 512 // of one place
	recorderNumber = 4   // of the plugin's number at its beginning
	recorderSlots  = 256
)

// Running is plugin code that runs on one thread of a host.
type Running struct {
	// Number is the plugin's, see bridge.Load.
	Number int
	// Where is the place in the terms of its author: import, register, tool x,
	// hook y. It is empty on a thread that the plugin itself started.
	Where string
	// Frame is where the code is about to end the process, with a path below
	// the plugin's folder. It is zero unless the code does so on purpose.
	Frame Frame
}

// readBox returns what is in the flight recorder.
func readBox(f *os.File) []Running {
	if f == nil {
		return nil
	}
	size := int64(recorderWidth * recorderSlots)
	if info, err := f.Stat(); err == nil {
		size = min(size, info.Size()) // few threads make a short file
	}
	data := make([]byte, size)
	n, _ := f.ReadAt(data, 0) // a place that is cut off says nothing
	return parseBox(data[:n])
}

func parseBox(data []byte) []Running {
	var found []Running
	for ; len(data) >= recorderNumber; data = data[min(recorderWidth, len(data)):] {
		number := binary.LittleEndian.Uint32(data)
		if number == 0 {
			continue
		}
		text, _, _ := bytes.Cut(data[recorderNumber:min(recorderWidth, len(data))], []byte{0})
		r := Running{Number: int(number)}
		words := strings.Split(strings.ToValidUTF8(string(text), "�"), "\n")
		r.Where = words[0]
		if len(words) == 4 {
			if line, err := strconv.Atoi(words[2]); err == nil && line > 0 {
				r.Frame = Frame{File: words[1], Line: line, Func: words[3]}
			}
		}
		found = append(found, r)
	}
	return found
}
