// Package tuitest runs a full-screen program on an emulated terminal, types
// into it, and looks at what is on the screen.
//
// Start runs a function of this process, StartCommand a program on a real
// pseudo-terminal; both return a Screen with the same methods:
//
//	s := tuitest.Start(t, 80, 24, run)
//	s.WaitText("❯")
//	s.Type("hello")
//	s.Press("enter")
//	snap := s.WaitFor(func(s tuitest.Snapshot) bool { return s.Contains("you   hello") })
//	snap.AssertOneComposer(t)
//	snap.Golden(t, "hello")
//	s.Quit("ctrl+c", "ctrl+c")
//
// Nothing sleeps: waiting is woken by what the program writes, and a condition
// that does not come true before the deadline fails the test with the screen.
// A frame that the program brackets as synchronized output is seen whole.
//
// The emulated terminal answers like a current one: kitty keyboard protocol,
// synchronized output, colours. Options take that away.
package tuitest
