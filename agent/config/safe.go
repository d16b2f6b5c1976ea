package config

// Safe returns the settings of safe mode: the defaults in place of
// config.yaml, and .env all the same, because without a key nothing would
// answer.
func Safe(home Home, environ []string) *Config {
	c := &Config{home: home, outer: environ, stamp: stampOf(home)}
	c.env = c.readEnv(environ)
	return c
}
