// Package term stands between the program and the terminal (decision D18). It
// owns raw mode, every mode of the terminal and their undoing, the decoding of
// input, and the screen: nothing else in the program writes an escape sequence
// or reads from the terminal.
//
// # Wiring
//
// Bubble Tea runs without its own renderer, input and signal handler:
//
//	t, err := term.Open(term.Options{In: os.Stdin, Out: os.Stdout})
//	defer t.Close()
//	p := tea.NewProgram(model, tea.WithoutRenderer(), tea.WithInput(nil),
//		tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
//	t.Start(p.Send)
//	_, err = p.Run()
//
// Run does all of that, and gives the terminal back on panics and signals.
// The model's View is only the hook where a frame is built, when something
// changed, and handed to Present; it returns "".
//
// # What arrives
//
//   - tea.KeyMsg for keys that it can express. Text typed faster than it is
//     read arrives as one KeyMsg with several runes, blanks included, and with
//     Paste set, so that its String is never taken for the name of a key; a
//     single blank is a tea.KeySpace.
//   - Key for those it cannot (shift+enter, ctrl+shift+c, shift+f2): its String
//     has the grammar of tea.KeyMsg's.
//   - tea.MouseMsg, tea.FocusMsg, tea.BlurMsg, tea.WindowSizeMsg.
//   - PasteMsg: a bracketed paste of any size, as clean text.
//   - BackgroundMsg and CapsMsg: what the terminal said about itself.
//   - ResumeMsg after the process was stopped and continued.
//   - ClosedMsg: the terminal is gone; the program should end.
//
// Replies and reports of the terminal never become text, also when they are
// late, unasked for, or cut anywhere.
//
// # Goroutines
//
// Start starts three: the reader, the decoder, which also sees resizes, and
// the writer. All end in Close, but for a reader whose input cannot be
// cancelled (not a file), which ends with its input.
package term
