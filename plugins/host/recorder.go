package host

import (
	"encoding/binary"
	"os"
)

// Sizes of the flight recorder; recorder.py writes them.
const (
	recorderWidth = 4
	recorderSlots = 256
)

// readBox returns the numbers in the flight recorder, each once.
func readBox(f *os.File) []int {
	if f == nil {
		return nil
	}
	data := make([]byte, recorderWidth*recorderSlots)
	n, _ := f.ReadAt(data, 0) // shorter when fewer threads ran
	var found []int
	seen := map[uint32]bool{0: true}
	for i := 0; i+recorderWidth <= n; i += recorderWidth {
		if v := binary.LittleEndian.Uint32(data[i:]); !seen[v] {
			seen[v] = true
			found = append(found, int(v))
		}
	}
	return found
}
