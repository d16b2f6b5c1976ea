package plugins

import (
	"sync/atomic"
	"testing"

	"hermes/agent/event"
	"hermes/agent/locale"
)

// A defect of ours must not end the program: what it broke says so, the log has
// the stack, and the rest goes on.

func TestDefectWhileLookingForPlugins(t *testing.T) {
	var asked atomic.Int32
	r := rigWith(t, map[string]string{"good": good}, func(o *Options) {
		o.Lang = func() locale.Lang {
			if asked.Add(1) == 1 {
				panic("no such language")
			}
			return locale.EN
		}
	}).start() // settles all the same
	stopped := await(r, func(e event.HostState) bool { return e.State == event.HostStopped })
	const want = "A defect of this program stopped the plugin host: no such language. Its log has the details; restart the host to go on."
	if stopped.Err != want {
		t.Errorf("host state = %+v", stopped)
	}
	await(r, func(e event.Notice) bool { return e.Level == event.LevelError && e.Text == want })
	r.wantStack("no such language", "survey")
}

func TestDefectInTheSupervisor(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	r := rigWith(t, map[string]string{"good": good}, func(o *Options) {
		o.OnCommandsChanged = func() {
			if broken.Swap(false) {
				panic("no commands")
			}
		}
	}).start()
	p := r.plugin("good")
	if p.State != event.PluginFailed || p.Reason != "A defect of this program stopped the plugin host: no commands. Its log has the details; restart the host to go on." {
		t.Errorf("good = %s %q", p.State, p.Reason)
	}
	if _, ok := r.tools.Get("good"); ok {
		t.Error("a tool without a host is offered")
	}
	r.wantStack("no commands", "publish")
	r.Restart()
	await(r, func(e event.HostState) bool { return e.State == event.HostReady })
	r.wantGood()
}

func TestDefectWithOneMessageOfTheHost(t *testing.T) {
	r := rigWith(t, map[string]string{"good": good, "talk": toolPlugin("talk", "import os\nprint(args['text'])\nos.write(1, args['text'].encode() + b'\\n')\nreturn 'said'")}, func(o *Options) {
		o.Redact = func(s string) string {
			if s == "burn" {
				panic("cannot redact this")
			}
			return s
		}
	}).start()
	for _, text := range []string{"burn", "after"} {
		if got := r.call("talk", `{"text": "`+text+`"}`).Content; got != "said" {
			t.Errorf("talk = %s", got)
		}
	}
	for _, stream := range []string{"stdout", "stderr"} { // printed, and past Python's own streams
		await(r, func(e event.PluginOutput) bool { return e.Stream == stream && e.Line == "after" })
	}
	r.wantStack("cannot redact this", "TestDefectWithOneMessageOfTheHost")
	r.wantGood()
}

// wantStack looks for the log record of a panic.
func (r *rig) wantStack(what, in string) {
	r.t.Helper()
	waitFor(r.t, func() bool {
		return r.log.contains(`msg="A bug was caught"`) && r.log.contains(what) && r.log.contains(in)
	})
}
