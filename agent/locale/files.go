package locale

// Texts about files: checkpoints and going back to them.
var (
	CmdRollback     = Msg{"list checkpoints, or go back to one", "列出检查点，或恢复到其中一个"}
	CmdArgsRollback = Msg{"[N [file] | diff N]", "[编号 [文件] | diff 编号]"}

	RollbackOff    = Msg{"Checkpoints are off. Turn them on with `hermes config set checkpoints.enabled true`, or for one run with `hermes chat --checkpoints`.", "检查点未开启。用 `hermes config set checkpoints.enabled true` 开启，或仅在本次运行时使用 `hermes chat --checkpoints`。"}
	RollbackNone   = Msg{"No checkpoints of %s yet. One is made before the first change of a turn.", "%s 还没有检查点。每一轮在首次改动之前会创建一个。"}
	RollbackHead   = Msg{"Checkpoints of %s:", "%s 的检查点："}
	RollbackStat   = Msg{"(files: %d, +%d −%d)", "（%d 个文件，+%d −%d）"}
	RollbackHint   = Msg{"/rollback N goes back, /rollback N FILE restores one file, /rollback diff N shows what changed since", "/rollback 编号 恢复，/rollback 编号 文件 只恢复一个文件，/rollback diff 编号 查看此后的改动"}
	RollbackBad    = Msg{"There is no checkpoint %s. /rollback lists them.", "没有检查点 %s。用 /rollback 列出。"}
	RollbackSame   = Msg{"Nothing has changed since checkpoint %s.", "自检查点 %s 以来没有改动。"}
	RollbackDone   = Msg{"Back at checkpoint %s (%s). Restored: %d; removed because they are newer: %d.", "已恢复到检查点 %s（%s）。恢复了 %d 个文件，删除了 %d 个此后新建的文件。"}
	RollbackUndo   = Msg{"The state before is kept as checkpoint 1: /rollback 1 brings it back.", "恢复前的状态已存为检查点 1：/rollback 1 可以找回。"}
	RollbackTurn   = Msg{"The last turn was taken back too.", "上一轮对话也已撤回。"}
	RollbackNoGit  = Msg{"Checkpoints need git: install it and try again.", "检查点需要 git：请安装后重试。"}
	RollbackNoFile = Msg{"%s is not in checkpoint %s.", "检查点 %[2]s 中没有 %[1]s。"}
	CheckpointFail = Msg{"No checkpoint could be made: %s", "无法创建检查点：%s"}
	CLIFlagCheck   = Msg{"keep checkpoints of what is changed, for /rollback", "为改动保留检查点，供 /rollback 使用"}
)
