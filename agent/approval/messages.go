package approval

// What the model reads. The words are the reference's (contract/core §3), so
// that models act alike on them.
const (
	msgHardline = "BLOCKED (hardline): %s. This command is on the unconditional blocklist and cannot be executed via the agent — not even with --yolo, /yolo, approvals.mode=off, or cron approve mode. If you genuinely need to run it, run it yourself in a terminal outside the agent."
	msgSudo     = "BLOCKED: %s. Do not pipe passwords to 'sudo -S' — this is a brute-force attack vector. Set SUDO_PASSWORD in your .env file if the agent needs passwordless sudo, or run the sudo command manually in your own terminal."
	msgDenyRule = "BLOCKED: this command matches the user-defined deny rule '%s' (approvals.deny in config.yaml). It cannot be executed via the agent — not even with --yolo, /yolo, or approvals.mode=off. Do NOT retry or rephrase this command; the user has explicitly forbidden it."
	msgDenied   = "BLOCKED: User denied this command. The user has NOT consented to this action. Do NOT retry this command, do NOT rephrase it, and do NOT attempt the same outcome via a different command. Stop the current workflow and wait for the user to respond before taking any further destructive or irreversible action."
	// msgTimeout is for a question that nobody answered.
	msgTimeout = "BLOCKED: The question whether this command may run was not answered in time. The user has NOT consented to this action. Do NOT retry this command, do NOT rephrase it, and do NOT attempt the same outcome via a different command."
	// msgUnattended names the only ways around (decision D23).
	msgUnattended = "BLOCKED: Command flagged as dangerous (%s) but nobody is there to approve it. Find an alternative approach that avoids this command. Only the user can let it run: hermes --yolo, or approvals.mode: off in config.yaml."
	msgComment    = " The user says: %s"

	msgRuleDenied     = "BLOCKED: User denied this potentially dangerous action (matched '%s'). Do NOT retry — the user has explicitly rejected it."
	msgRuleUnattended = "BLOCKED: Tool '%s' requires approval (%s) but no interactive user or gateway is present to approve it. A plugin flagged this action for human confirmation. Only the user can let such calls run: hermes --yolo, or approvals.mode: off in config.yaml."

	noteApproved = "Command required approval (%s) and was approved by the user."
	noteSmart    = "Command was flagged (%s) and auto-approved by smart approval."
)
