package locale

// Texts about skills.
var (
	// SkillProblem takes the skill, what is wrong (English, as logs have it) and
	// the file.
	SkillProblem = Msg{"Skill %s: %s (%s)", "技能 %s：%s（%s）"}
	// SkillsNone takes the folder.
	SkillsNone   = Msg{"No skills. They go into %s, one folder with a SKILL.md each.", "没有技能。请放入 %s，每个技能一个含 SKILL.md 的文件夹。"}
	SkillArgs    = Msg{"[text]", "[文字]"}
	CmdSkills    = Msg{"list the skills", "列出技能"}
	CLISkills    = Msg{"list and show skills", "列出和查看技能"}
	CLISkillShow = Msg{"print a skill", "输出一个技能"}
	// CLINoSkill takes the name.
	CLINoSkill = Msg{"no skill named %q; see hermes skills list", "没有名为 %q 的技能；请运行 hermes skills list"}
)
