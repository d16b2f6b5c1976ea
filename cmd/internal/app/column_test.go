package app

import "testing"

func TestColumnsAreFilledByCells(t *testing.T) {
	for text, want := range map[string]string{
		"状态": "状态    ", "token": "token   ", "/use <工具>": "/use <工具> ", "": "        ",
	} {
		if got := column(text, 8); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
