package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// DefaultProfile is the name of the home folder itself, among its profiles.
const DefaultProfile = "default"

// isProfileName reports whether the reference takes name for that of a
// profile: [a-z0-9][a-z0-9_-]{0,63}.
func isProfileName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	return name != "" && len(name) <= 64 && strings.Contains(letters, name[:1]) && strings.Trim(name, letters+"_-") == ""
}

// Profiles are the homes below one root: the root itself, and the folders of
// profiles/. active_profile in the root names the one that is used when the
// command line names none. The reference keeps them in the same places.
type Profiles struct{ root Home }

// Errors of profiles.
var (
	ErrNoProfile   = errors.New("no such profile")
	ErrProfileName = errors.New("not a name for a profile: want lower-case letters, digits, - and _, at most 64")
	ErrHasProfile  = errors.New("the profile is there already")
	ErrIsDefault   = errors.New("the default profile cannot be renamed or deleted")
)

// FindProfiles returns the profiles of the home that getenv names. A
// HERMES_HOME that is a profile's folder belongs to the root above it; own is
// that profile's name then.
func FindProfiles(getenv func(string) string) (p Profiles, own string, err error) {
	home, err := FindHome(getenv)
	if err != nil {
		return Profiles{}, "", err
	}
	above := filepath.Dir(home.dir)
	if name := filepath.Base(home.dir); filepath.Base(above) == "profiles" && isProfileName(name) {
		return Profiles{Home{filepath.Dir(above)}}, name, nil
	}
	return Profiles{home}, "", nil
}

// SelectHome returns the home of a run: that of the profile that the command
// line names, else that of HERMES_HOME when it is a profile's, else the active
// profile's.
func SelectHome(getenv func(string) string, named string) (Home, error) {
	p, own, err := FindProfiles(getenv)
	if err != nil {
		return Home{}, err
	}
	switch {
	case named != "":
		return p.Home(named)
	case own != "":
		return p.Home(own)
	}
	home, err := p.Home(p.Active())
	if errors.Is(err, ErrNoProfile) {
		// The active profile was removed by hand.
		return p.root, nil
	}
	return home, err
}

// Root is the default profile's home.
func (p Profiles) Root() Home { return p.root }

func (p Profiles) dir(name string) string { return p.root.join("profiles", name) }

func (p Profiles) activeFile() string { return p.root.join("active_profile") }

// Home is the home of a profile. It returns ErrNoProfile or ErrProfileName.
func (p Profiles) Home(name string) (Home, error) {
	if name == DefaultProfile {
		return p.root, nil
	}
	if !isProfileName(name) {
		return Home{}, fmt.Errorf("%q: %w", name, ErrProfileName)
	}
	if info, err := os.Stat(p.dir(name)); err != nil || !info.IsDir() {
		return Home{}, fmt.Errorf("%s: %w", name, ErrNoProfile)
	}
	return Home{p.dir(name)}, nil
}

// Active is the profile that is used when none is named.
func (p Profiles) Active() string {
	data, err := os.ReadFile(p.activeFile())
	name := strings.TrimSpace(string(data))
	if err != nil || !isProfileName(name) {
		return DefaultProfile
	}
	return name
}

// Use makes a profile the active one.
func (p Profiles) Use(name string) error {
	if _, err := p.Home(name); err != nil {
		return err
	}
	if name == DefaultProfile {
		if err := os.Remove(p.activeFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget the active profile: %w", err)
		}
		return nil
	}
	return WriteFile(p.activeFile(), []byte(name+"\n"))
}

// List returns the names of the profiles, the default one first.
func (p Profiles) List() ([]string, error) {
	entries, err := os.ReadDir(p.root.join("profiles"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list profiles: %w", err)
	}
	out := []string{}
	for _, e := range entries {
		if info, err := os.Stat(p.dir(e.Name())); err == nil && info.IsDir() && isProfileName(e.Name()) {
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	return append([]string{DefaultProfile}, out...), nil
}

// cloned is what a new profile may take over from another.
var cloned = [...]string{"config.yaml", ".env", "SOUL.md"}

// Create makes a profile, with the settings, keys and SOUL.md of the profile
// from unless that is empty.
func (p Profiles) Create(name, from string) (Home, error) {
	if name == DefaultProfile {
		return Home{}, fmt.Errorf("%s: %w", name, ErrHasProfile)
	}
	if _, err := p.Home(name); err == nil {
		return Home{}, fmt.Errorf("%s: %w", name, ErrHasProfile)
	} else if !errors.Is(err, ErrNoProfile) {
		return Home{}, err
	}
	home := Home{p.dir(name)}
	if err := Make(home.dir); err != nil {
		return Home{}, err
	}
	if from == "" {
		return home, nil
	}
	source, err := p.Home(from)
	if err != nil {
		return Home{}, err
	}
	for _, file := range cloned {
		data, err := os.ReadFile(source.join(file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = WriteFile(home.join(file), data)
		}
		if err != nil {
			return Home{}, fmt.Errorf("copy %s: %w", file, err)
		}
	}
	return home, nil
}

// Delete removes a profile with all that it holds.
func (p Profiles) Delete(name string) error {
	home, err := p.notDefault(name)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(home.dir); err != nil {
		return fmt.Errorf("delete the profile: %w", err)
	}
	if p.Active() == name {
		return p.Use(DefaultProfile)
	}
	return nil
}

// Rename gives a profile another name.
func (p Profiles) Rename(name, to string) error {
	home, err := p.notDefault(name)
	if err != nil {
		return err
	}
	if _, err := p.Home(to); err == nil {
		return fmt.Errorf("%s: %w", to, ErrHasProfile)
	} else if !errors.Is(err, ErrNoProfile) {
		return err
	}
	active := p.Active() == name
	if err := os.Rename(home.dir, p.dir(to)); err != nil {
		return fmt.Errorf("rename the profile: %w", err)
	}
	if active {
		return p.Use(to)
	}
	return nil
}

func (p Profiles) notDefault(name string) (Home, error) {
	if name == DefaultProfile {
		return Home{}, ErrIsDefault
	}
	return p.Home(name)
}
