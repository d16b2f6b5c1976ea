package cli

import (
	"context"
	"errors"
	"fmt"
	stdio "io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/tool"
	"hermes/cmd/internal/app"
)

// Output forms of one question.
const (
	outputText   = "text"
	outputJSON   = "json"
	outputStream = "stream-json"
)

// ask is one question from the command line.
type ask struct {
	global
	prompt     string
	output     string
	answerOnly bool // -z: refuses the demo unless it was asked for
	quiet      bool
	images     []string // files
}

func newChat(io IO, lang locale.Lang, g *global) *cobra.Command {
	var a ask
	cmd := &cobra.Command{
		Use: "chat", Short: locale.CLIChatShort.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.global = *g
			if !cmd.Flags().Changed("query") {
				return runInteractive(cmd.Context(), io, a.global)
			}
			return runAsk(cmd.Context(), io, a)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&a.prompt, "query", "q", "", locale.CLIFlagQuery.In(lang))
	f.StringVar(&a.output, "output", outputText, locale.CLIFlagOutput.In(lang))
	f.StringArrayVar(&a.images, "image", nil, locale.CLIFlagImage.In(lang))
	f.BoolVarP(&a.quiet, "quiet", "Q", false, locale.CLIFlagQuiet.In(lang))
	f.IntVar(&g.maxTurns, "max-turns", 0, locale.CLIFlagTurns.In(lang))
	f.BoolVar(&g.checkpoints, "checkpoints", false, locale.CLIFlagCheck.In(lang))
	return cmd
}

// runAsk asks one question without a screen: the same runtime, the same
// events, and standard output carries only the answer.
func runAsk(ctx context.Context, io IO, a ask) error {
	lang := startLang(io)
	if !slices.Contains([]string{outputText, outputJSON, outputStream}, a.output) {
		return usageError{errors.New(locale.CLIUnknownOut.In(lang, a.output))}
	}
	prompt, err := promptText(io, a.prompt)
	if err != nil {
		return err
	}
	if strings.TrimSpace(prompt) == "" {
		return usageError{errors.New(locale.CLIEmptyPrompt.In(lang))}
	}
	opt, err := a.options(io, lang)
	if err != nil {
		return err
	}
	if err := a.resuming.apply(ctx, io, lang, &opt); err != nil {
		return err
	}
	if err := writable(a.usage); err != nil {
		return usageError{err}
	}
	endWorktree, err := inWorktree(ctx, io, lang, a.worktree, &opt)
	if err != nil {
		return err
	}
	defer endWorktree()
	images, err := readImages(io, lang, a.images)
	if err != nil {
		return usageError{err}
	}
	rt := app.New(opt)
	out := newAskOutput(io, a.output, rt.Subscribe())
	rt.Start(ctx)
	done, err := askRuntime(ctx, io, rt, a, prompt, images)
	closeErr := rt.Close()
	if usageErr := writeUsage(a.usage, out, done, err); err == nil {
		err = usageErr
	}
	if outErr := out.finish(done, err); err == nil {
		err = outErr
	}
	if done != nil && a.output == outputText && !a.quiet && !a.answerOnly {
		farewell(ctx, io.Err, rt.Lang(), opt, done.Session)
	}
	if err == nil {
		err = closeErr
	}
	return err
}

func askRuntime(ctx context.Context, io IO, rt *app.Runtime, a ask, prompt string, images []llm.Image) (*event.TurnDone, error) {
	if err := rt.WaitConfigured(ctx); err != nil {
		return nil, configError(err)
	}
	lang := rt.Lang()
	if note := rt.UnreadEnv(); note != "" {
		fmt.Fprintln(io.Err, note)
	}
	if rt.Demo() && a.provider != app.DemoProvider {
		if a.answerOnly {
			return nil, errors.New(locale.CLIDemoRefused.In(lang))
		}
		fmt.Fprintln(io.Err, locale.CLIDemoNote.In(lang))
	}
	if err := checkToolsets(ctx, io, rt, a); err != nil {
		return nil, err
	}
	done, err := rt.Ask(ctx, prompt, images...)
	if err != nil {
		return nil, err
	}
	if a.quiet {
		fmt.Fprintf(io.Err, "session_id: %s\n", done.Session)
	}
	return &done, nil
}

// checkToolsets says which of the toolsets asked for do not exist, and refuses
// when none does: the model would have no tools although some were asked for.
func checkToolsets(ctx context.Context, io IO, rt *app.Runtime, a ask) error {
	asked := listOf(a.toolsets)
	if len(asked) == 0 || !slices.ContainsFunc(asked, func(name string) bool { return !tool.BuiltinToolset(name) }) {
		return nil
	}
	if err := rt.WaitSettled(ctx); err != nil {
		return err
	}
	unknown := rt.UnknownToolsets()
	switch len(unknown) {
	case 0:
		return nil
	case len(asked):
		return usageError{errors.New(locale.CLINoToolset.In(rt.Lang(), strings.Join(unknown, ", ")))}
	}
	fmt.Fprintf(io.Err, "hermes: %s\n", locale.CLIUnknownSets.In(rt.Lang(), strings.Join(unknown, ", ")))
	return nil
}

func readImages(io IO, lang locale.Lang, files []string) ([]llm.Image, error) {
	var out []llm.Image
	for _, f := range files {
		img, err := app.ReadImage(lang, io.Dir, f)
		if err != nil {
			return nil, err
		}
		out = append(out, img)
	}
	return out, nil
}

// promptText reads the prompt from standard input when it is "-".
func promptText(io IO, prompt string) (string, error) {
	if prompt != "-" {
		return prompt, nil
	}
	b, err := stdio.ReadAll(io.In)
	if err != nil {
		return "", fmt.Errorf("read the prompt from standard input: %w", err)
	}
	return string(b), nil
}

// askOutput writes what one question gives in its output form.
type askOutput struct {
	io     IO
	form   string
	sub    *event.Subscription
	done   chan error // of the stream writer; nil when it has ended
	failed error      // what it ended with
	last   []byte     // the last turn_done line

	// Of the drain until it has ended.
	cost  event.Usage
	model event.ModelChanged
}

func newAskOutput(io IO, form string, sub *event.Subscription) *askOutput {
	done := make(chan error, 1)
	o := &askOutput{io: io, form: form, sub: sub, done: done}
	go func() { done <- o.drain() }()
	return o
}

// drain writes the events as they come (stream-json) and shows warnings on
// standard error (text). It ends when the subscription is closed.
func (o *askOutput) drain() error {
	var failed error
	for batch := o.sub.Next(context.Background()); batch != nil; batch = o.sub.Next(context.Background()) {
		for _, e := range batch {
			if err := o.one(e); err != nil && failed == nil {
				failed = err
			}
		}
	}
	return failed
}

func (o *askOutput) one(e event.Event) error {
	switch e := e.(type) {
	case event.Usage:
		o.cost = e
	case event.ModelChanged:
		o.model = e
	}
	if n, ok := e.(event.Notice); ok && o.form == outputText && n.Level != event.LevelInfo {
		fmt.Fprintf(o.io.Err, "hermes: %s\n", n.Text)
	}
	_, isDone := e.(event.TurnDone)
	if o.form == outputText || (o.form == outputJSON && !isDone) {
		return nil
	}
	line, err := event.JSON(e)
	if err != nil {
		return err
	}
	if o.form == outputJSON {
		o.last = line
		return nil
	}
	if _, err := fmt.Fprintf(o.io.Out, "%s\n", line); err != nil {
		return fmt.Errorf("write to standard output: %w", err)
	}
	return nil
}

// end ends the drain and waits for it.
func (o *askOutput) end() error {
	o.sub.Close()
	if o.done != nil {
		o.failed = <-o.done
		o.done = nil
	}
	return o.failed
}

// finish ends the drain and writes the answer. It returns the error that
// decides the exit code.
func (o *askOutput) finish(done *event.TurnDone, err error) error {
	drainErr := o.end()
	if err != nil {
		return err
	}
	if drainErr != nil {
		return drainErr
	}
	switch o.form {
	case outputJSON:
		if _, err := fmt.Fprintf(o.io.Out, "%s\n", o.last); err != nil {
			return fmt.Errorf("write to standard output: %w", err)
		}
	case outputText:
		if done.Answer != "" {
			if _, err := fmt.Fprintln(o.io.Out, done.Answer); err != nil {
				return fmt.Errorf("write to standard output: %w", err)
			}
		}
	}
	return turnError(*done, startLang(o.io))
}

// turnError turns the end of a turn into the error that decides the exit code.
func turnError(done event.TurnDone, lang locale.Lang) error {
	switch {
	case done.Outcome == event.OutcomeInterrupted:
		return context.Canceled
	case done.Outcome == event.OutcomeFailed:
		if done.Err != "" {
			return errors.New(done.Err)
		}
		return errors.New(locale.CLINoAnswer.In(lang))
	case done.Answer == "":
		return errors.New(locale.CLINoAnswer.In(lang))
	}
	return nil
}
