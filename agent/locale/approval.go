package locale

// Texts of the question whether a command may run.
var (
	ApprovalTitle   = Msg{"Dangerous command", "危险命令"}
	ApprovalOnce    = Msg{"Allow once", "允许一次"}
	ApprovalSession = Msg{"Allow for this session", "本次会话内允许"}
	ApprovalAlways  = Msg{"Add to permanent allowlist", "加入永久允许列表"}
	ApprovalDeny    = Msg{"Deny", "拒绝"}
	ApprovalDenyWhy = Msg{"Deny and say why", "拒绝并说明原因"}
	CmdYolo         = Msg{"Run dangerous commands without asking, in this session; again: ask", "本次会话中不经询问直接执行危险命令；再次输入则恢复询问"}
	YoloOn          = Msg{"⚠ YOLO mode on: commands run without asking in this session. What is never run stays refused. /yolo again switches it off.", "⚠ YOLO 模式已开启：本次会话中的命令不再询问，直接执行；绝不执行的命令仍会被拒绝。再次输入 /yolo 关闭。"}
	YoloOff         = Msg{"YOLO mode off: dangerous commands are asked about.", "YOLO 模式已关闭：危险命令会先询问。"}
	YoloAll         = Msg{"Approvals are off for the whole program (--yolo, HERMES_YOLO_MODE or approvals.mode: off); /yolo changes nothing.", "整个程序已关闭批准（--yolo、HERMES_YOLO_MODE 或 approvals.mode: off），/yolo 不起作用。"}

	ApprovalSmartDenied = Msg{"The model that checks commands advises against it.", "负责检查命令的模型建议不要执行。"}
)

// ApprovalMeaning says in l what a finding of the approval gate means; the key
// itself in English, and where there is no translation.
func ApprovalMeaning(l Lang, key string) string {
	if l != ZH {
		return key
	}
	zh := approvalZH(key)
	if zh == "" {
		return key
	}
	return zh + "（" + key + "）"
}

// approvalZH translates keys of findings. It is a switch, not a table: nothing
// may change it.
func approvalZH(key string) string {
	switch key {
	case "delete in root path":
		return "删除根目录下的路径"
	case "recursive delete", "recursive delete (long flag)":
		return "递归删除"
	case "Windows cmd destructive delete", "Windows PowerShell destructive delete":
		return "Windows 删除命令"
	case "PowerShell encoded command execution":
		return "执行编码过的 PowerShell 命令"
	case "world/other-writable permissions", "recursive world/other-writable (long flag)":
		return "设为所有人可写"
	case "recursive chown to root", "recursive chown to root (long flag)":
		return "递归改为 root 所有"
	case "format filesystem":
		return "格式化文件系统"
	case "disk copy":
		return "磁盘复制（dd）"
	case "write to block device":
		return "写入块设备"
	case "SQL DROP":
		return "SQL 删除表或库"
	case "SQL DELETE without WHERE":
		return "没有 WHERE 的 SQL DELETE"
	case "SQL TRUNCATE":
		return "SQL 清空表"
	case "overwrite system config", "overwrite system file via tee", "overwrite system file via redirection":
		return "覆盖系统或敏感文件"
	case "copy/move file into system config path", "in-place edit of system config", "in-place edit of system config (long flag)":
		return "修改系统配置文件"
	case "stop/restart system service":
		return "停止或重启系统服务"
	case "kill all processes":
		return "结束所有进程"
	case "force kill processes", "force kill processes (killall -KILL)", "force kill processes (killall -s KILL)":
		return "强制结束进程"
	case "kill processes by regex (killall -r)":
		return "按正则结束进程"
	case "fork bomb":
		return "fork 炸弹"
	case "pipe remote content to shell", "execute remote script via process substitution", "execute remote content via command substitution":
		return "执行从网络下载的脚本"
	case "pipe decoded content to shell (possible command obfuscation)", "pipe xxd-decoded content to shell (possible command obfuscation)",
		"pipe tr-transformed output to shell (possible command obfuscation)", "pipe openssl-decoded content to shell (possible command obfuscation)":
		return "执行解码后的内容（可能是伪装的命令）"
	case "pipe content to shell", "pipe content to interpreter":
		return "把内容通过管道交给 shell 或解释器执行"
	case "overwrite project env/config via tee", "overwrite project env/config via redirection", "overwrite project env/config file":
		return "覆盖项目的 .env 或 config.yaml"
	case "copy/move file into sensitive credential/SSH/shell-rc path", "in-place edit of sensitive credential/SSH/shell-rc path",
		"in-place edit of sensitive credential/SSH/shell-rc path (long flag)", "in-place edit of sensitive credential/SSH/shell-rc path (perl/ruby)":
		return "修改凭据、SSH 或 shell 启动文件"
	case "in-place edit of Hermes config/env", "in-place edit of Hermes config/env (long flag)", "in-place edit of Hermes config/env (perl/ruby)":
		return "修改本程序的配置或密钥文件"
	case "xargs with rm", "find -exec/-execdir rm", "find -delete":
		return "批量删除找到的文件"
	case "docker compose restart/stop/kill/down (container lifecycle)", "docker restart/stop/kill (container lifecycle)":
		return "停止或重启容器"
	case "shell execution via heredoc", "script execution via heredoc":
		return "执行 heredoc 中的脚本"
	case "script execution via -e/-c flag", "shell command via -c/-lc flag":
		return "执行参数中的脚本"
	case "connect shell to network":
		return "把 shell 连接到网络"
	case "command execution via awk", "command execution via sed":
		return "通过 awk 或 sed 执行命令"
	case "git reset --hard (destroys uncommitted changes)":
		return "丢弃未提交的修改"
	case "git force push (rewrites remote history)", "git force push short flag (rewrites remote history)":
		return "强制推送，改写远程历史"
	case "git clean with force (deletes untracked files)":
		return "删除未跟踪的文件"
	case "git branch force delete", "git branch force delete (long flags)", "git branch force delete (long flags, force-first)":
		return "强制删除分支"
	case "chmod +x followed by immediate execution":
		return "加上可执行权限后立即运行"
	case "sudo with privilege flag (stdin/askpass/shell/list)", "sudo with combined-flag privilege escalation":
		return "带特权选项的 sudo"
	case "command parser limit exceeded":
		return "命令太长或太复杂，无法完整检查"
	}
	return ""
}
