package locale

// Texts about skills.
var (
	// SkillProblem takes the skill, what is wrong (English, as logs have it) and
	// the file.
	SkillProblem = Msg{"Skill %s: %s (%s)", "技能 %s：%s（%s）"}
)
