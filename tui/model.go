package tui

import (
	"context"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/themes"
	"hermes/tui/banner"
	"hermes/tui/composer"
	"hermes/tui/composer/slash"
	"hermes/tui/dialog"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/pump"
	"hermes/tui/internal/term"
	"hermes/tui/transcript"
)

// screen is what the view needs of the terminal.
type screen interface {
	Present(term.Frame)
	Repaint()
	Suspend() error
	Lend(run func(ctx context.Context, in, out *os.File) error) error
	Clipboard(text string)
	SetMouse(on bool)
	// Recover gives the terminal back when the goroutine that defers it panics.
	Recover()
}

// model is the root: it owns the parts and routes messages to them. It decides
// nothing that a part could decide.
type model struct {
	backend Backend
	screen  screen
	opts    Options
	now     func() time.Time
	done    <-chan struct{} // closed when the program ends
	work    *worker
	keys    keyMap

	look       *look.Look
	state      *live.State
	transcript *transcript.Model
	composer   *composer.Model
	menu       *slash.Model
	dialog     *dialog.Model
	pages      pages
	own        ownAsks
	pointer    pointer
	find       find
	mention    mention
	palette    palette
	queue      queueEdit
	offers     offers
	quit       quitState

	w, h    int
	panel   bool // side panel wanted
	reading bool // the conversation has the focus
	editing bool // the editor has the terminal
	dirty   bool
	ticking bool
	frame   int // of the spinner
	at      time.Time
	banner  func() // draws the banner again
	side    sideCache

	flash       string // in the status line until the next key
	lastFailure string // shown by failed
	recalled    string // text of a turn that was taken back, now in the draft
}

func newModel(b Backend, s screen, o Options, now func() time.Time) *model {
	m := &model{backend: b, screen: s, opts: o, now: now, keys: defaultKeys(), state: live.New(), panel: true, at: now()}
	m.opts.ASCII = o.ASCII || look.ASCIIOnly(o.Getenv)
	m.look = m.newLook(themes.Color{}, 1)
	o.Facts.seed(m.state)
	m.state.Dir = o.Dir
	m.transcript = transcript.New(m.look)
	m.transcript.SetDemo(o.Facts.Demo)
	m.composer = composer.New(m.look)
	m.menu = slash.New(m.look)
	m.menu.SetCommands(m.state.Commands, false)
	m.dialog = dialog.New(m.look)
	m.addBanner()
	m.pages = newPages(m)
	m.dirty = true
	return m
}

// addBanner puts the banner at the end of the conversation; the newest one
// follows the state.
func (m *model) addBanner() {
	m.banner = m.transcript.Block(func(l *look.Look, width int) []string {
		return banner.Render(l, m.state, m.bannerInfo(), width)
	})
}

func (m *model) newLook(bg themes.Color, rev int) *look.Look {
	return look.New(look.Options{
		Lang: m.opts.Lang, Theme: m.opts.Theme, Background: bg,
		NoColor: term.DetectProfile(m.opts.Getenv) == term.NoColor, ASCII: m.opts.ASCII, Still: m.opts.Still,
	}, rev)
}

// setLook gives every part another look.
func (m *model) setLook(l *look.Look) {
	m.look = l
	m.transcript.SetLook(l)
	m.composer.SetLook(l)
	m.menu.SetLook(l)
	m.dialog.SetLook(l)
	m.dirty = true
}

// Init begins what must not hold up the first frame.
func (m *model) Init() tea.Cmd {
	m.readHistory()
	return nil
}

// Update routes one message. It does no IO.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.at = m.now()
	cmd := m.route(msg)
	return m, tea.Batch(cmd, m.tick())
}

func (m *model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.keyMsg(msg)
	case term.Key:
		return m.key(msg.String(), nil)
	case term.PasteMsg:
		return m.paste(msg.Text)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case term.BackgroundMsg:
		m.setLook(m.newLook(themes.Color{R: msg.R, G: msg.G, B: msg.B, Set: true}, m.look.Rev+1))
	case pump.Batch:
		return m.batch(msg.Events)
	case tickMsg:
		return m.ticked()
	case tea.FocusMsg:
		m.focus(true)
	case tea.BlurMsg:
		m.focus(false)
	case tea.QuitMsg:
	default:
		return m.ownMsg(msg)
	}
	return nil
}

// ownMsg handles the messages of the view's own commands.
func (m *model) ownMsg(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyMsg:
		m.composer.SetHistory(msg.entries)
	case themeMsg:
		m.opts.Theme = msg.theme
		m.setLook(m.newLook(m.look.Background, m.look.Rev+1))
	case failedMsg:
		m.failed(msg)
	case noticeMsg:
		m.warn(m.look.T(msg.text))
	case dragMsg:
		return m.dragOn(msg)
	case matchedMsg:
		m.matched(msg)
	case copiedMsg:
		m.copied(msg)
	case editedMsg:
		m.edited(msg)
	case disarmMsg:
		m.disarm(msg)
	}
	return nil
}

func (m *model) resize(w, h int) {
	m.w, m.h = max(w, 1), max(h, 1)
	m.banner()
	m.dirty = true
}

// View is the hook of Bubble Tea that runs after every message: here a frame
// is made when something changed. The terminal layer draws it.
func (m *model) View() string {
	if m.dirty {
		m.dirty = false
		m.screen.Present(m.compose())
	}
	return ""
}

// tickMsg moves what moves.
type tickMsg struct{}

// tickEvery is the pace of everything that moves by itself: below twelve
// frames per second.
const tickEvery = 100 * time.Millisecond

// tick starts the clock while something moves, and only then.
func (m *model) tick() tea.Cmd {
	if m.ticking || !m.moves() {
		return nil
	}
	m.ticking = true
	return m.later(tickEvery, tickMsg{})
}

func (m *model) moves() bool {
	return m.state.Turn.Running || m.transcript.Moves() || m.dialog.Counts(m.at)
}

// focus follows the terminal's focus: a question that nobody sees may expire.
func (m *model) focus(has bool) {
	m.dialog.Focus(has, m.at)
	m.dirty = true
}

func (m *model) ticked() tea.Cmd {
	m.ticking = false
	m.frame++
	m.dirty = true
	return m.answer(m.dialog.Expired(m.at))
}

// later brings msg after d, unless the program ends before.
func (m *model) later(d time.Duration, msg tea.Msg) tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg
		case <-m.done:
			return nil
		}
	}
}

// do runs f outside the event loop. A panic there gives the terminal back
// before it ends the program.
func (m *model) do(f func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		defer m.screen.Recover()
		return f()
	}
}
