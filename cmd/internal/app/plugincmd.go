package app

import (
	"context"

	"hermes/agent/locale"
	"hermes/plugins"
)

// RunPluginCommand runs argv as the command that a plugin has for the command
// line; found is false when none has it.
func RunPluginCommand(ctx context.Context, opt Options, argv []string, std plugins.Streams) (code int, found bool, err error) {
	cfg, err := loadFor(opt)
	if err != nil {
		return 0, false, err
	}
	return plugins.Foreground(ctx, plugins.Options{
		Home: opt.Home.Dir(), Dir: opt.Dir, Env: cfg.Environ(), Settings: pluginSettings(cfg, opt.SafeMode),
		Platform: platform, Version: opt.Version, Lang: func() locale.Lang { return opt.Lang },
	}, argv, std)
}
