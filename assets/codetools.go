package assets

import _ "embed" // for CodeTools

// CodeTools is hermes_tools.py: the module with which scripts of the
// execute_code tool call the agent's tools.
//
//go:embed codetools/hermes_tools.py
var CodeTools string
