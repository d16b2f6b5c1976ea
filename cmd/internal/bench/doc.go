// Package bench measures the program as a user meets it: it starts the release
// binary on a pseudo-terminal and times bytes on it from exec, with
// hermes-agent beside it in the same run when that is installed.
//
// A figure is a median and a 95th percentile over at least twenty runs of one
// thing; figures.go says how each is taken. The programs take turns, so that
// what else the machine does hits both. The model is a scripted service in this
// process (package llmtest), the terminal an emulator that answers queries and
// holds a frame back until it is whole.
//
// It runs on Linux: memory and processor time are read from /proc.
package bench
