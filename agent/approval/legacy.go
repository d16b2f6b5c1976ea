package approval

// legacy maps keys that earlier versions of the reference wrote into
// command_allowlist to those of today.
var legacy = map[string]string{
	`(python[23]?|perl|ruby|node)\s+-[ec]\s+`: keyScriptFlag,
	`(python[23]?|perl|ruby|node)\s+<<`:       keyScriptHeredoc,
}
