package composer

// wordStart is where the word that ends at the caret begins. A chip is a word of
// its own.
func (b *buffer) wordStart() int {
	i := b.caret
	for i > 0 && class(b.atoms[i-1]) != 0 && b.atoms[i-1].chip == "" {
		i--
	}
	return i
}

// Word is the text between the last blank and the caret.
func (m *Model) Word() string {
	b := &m.buf
	return text(b.atoms[b.wordStart():b.caret])
}

// ReplaceWord puts s in the place of that word.
func (m *Model) ReplaceWord(s string) {
	b := &m.buf
	b.cut(b.wordStart(), b.caret)
	m.Insert(s)
}
