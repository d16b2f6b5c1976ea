package locale

// Texts about the process that runs plugins, and about what happens in it.
var (
	HostNoPython = Msg{
		"Plugins are off: no Python 3.9 or later was found. Install Python 3.11, or set HERMES_PYTHON (or plugins.python) to one.",
		"插件已关闭：没有找到 Python 3.9 或更高版本。请安装 Python 3.11，或用 HERMES_PYTHON（或 plugins.python）指定一个。",
	}
	HostPythonUnusable = Msg{
		"Plugins are off: %s cannot run them (%s). Correct plugins.python or HERMES_PYTHON.",
		"插件已关闭：%s 无法运行插件（%s）。请更正 plugins.python 或 HERMES_PYTHON。",
	}
	HostOddPython = Msg{
		"Plugins run on Python %s; 3.11 to 3.13 is what they are written for.",
		"插件运行在 Python %s 上；建议使用 3.11 至 3.13。",
	}
	HostStartFailed = Msg{"The plugin host could not be started: %s", "插件进程无法启动：%s"}
	HostGaveUp      = Msg{
		"The plugin host ended four times within a minute and stays stopped. Restart it, start in safe mode, or look into the log.",
		"插件进程一分钟内结束了四次，现已停止。可以重新启动、进入安全模式或查看日志。",
	}
	// HostBug takes what the defect said.
	HostBug = Msg{
		"A defect of this program stopped the plugin host: %v. Its log has the details; restart the host to go on.",
		"本程序的缺陷导致插件进程停止：%v。详情见日志；重新启动插件进程即可继续。",
	}
	HostEnded    = Msg{"the plugin host ended (%s)", "插件进程已结束（%s）"}
	HostHung     = Msg{"the plugin host no longer answers", "插件进程没有响应"}
	HostExit     = Msg{"exit status %d", "退出状态 %d"}
	HostSignal   = Msg{"signal %s", "信号 %s"}
	HostKilled   = Msg{"killed by signal SIGKILL, perhaps out of memory", "被 SIGKILL 信号终止，可能是内存不足"}
	HostProtocol = Msg{"it wrote something else to its channel", "它向通信通道写入了其他内容"}
	HostNoSpool  = Msg{"its result could not be read", "无法读取其结果"}

	// How a plugin ended its host: the place (import, register, tool x, hook y),
	// file and line as far as they are known, the cause.
	PluginCrashed     = Msg{"ended the plugin host (%s)", "导致插件进程结束（%s）"}
	PluginCrashedAt   = Msg{"ended the plugin host at %s:%d (%s)", "在 %s:%d 导致插件进程结束（%s）"}
	PluginCrashedIn   = Msg{"ended the plugin host in %s (%s)", "在 %s 中导致插件进程结束（%s）"}
	PluginCrashedInAt = Msg{"ended the plugin host in %s at %s:%d (%s)", "在 %s 中（%s:%d）导致插件进程结束（%s）"}
	PluginQuarantine  = Msg{
		"Plugin %s ended the plugin host twice; it now runs in a process of its own.",
		"插件 %s 两次导致插件进程结束，现已放入单独的进程运行。",
	}
	PluginOffForSession = Msg{
		"Plugin %s keeps ending its process and is off for this session.",
		"插件 %s 反复导致其进程结束，本次会话已将其关闭。",
	}
	PluginLoadTimeout  = Msg{"timed out: %s did not come back within %s", "超时：%s 在 %s 内没有返回"}
	PluginHookPaused   = Msg{"its hook %s is paused after %d timeouts or errors in a row", "其钩子 %s 连续 %d 次超时或出错，已暂停"}
	PluginAsksOverride = Msg{"asks to replace %s", "请求替换 %s"}
	PluginToolShadow   = Msg{"tool %s is not registered: the name belongs to toolset %s", "工具 %s 未注册：该名称属于工具集 %s"}
	PluginToolName     = Msg{
		"tool name %q is not registered: names must match [a-zA-Z0-9_-] and have at most 64 characters",
		"工具名 %q 未注册：名称只能包含 [a-zA-Z0-9_-]，且不超过 64 个字符",
	}
	PluginToolReplaced    = Msg{"tool %s replaces the one of plugin %s", "工具 %s 取代了插件 %s 的同名工具"}
	PluginCommandConflict = Msg{"command /%s is not registered: it is a built-in command", "命令 /%s 未注册：它是内置命令"}
	PluginCommandEmpty    = Msg{"a command with an empty name is not registered", "名称为空的命令未注册"}
	PluginUnknownHook     = Msg{"hook %q does not exist and never runs", "钩子 %q 不存在，永远不会运行"}
	PluginUnknownHookDid  = Msg{"hook %q does not exist and never runs; did you mean %s?", "钩子 %q 不存在，永远不会运行；是否想写 %s？"}
	PluginSchemaWrapped   = Msg{"the schema of tool %s is in OpenAI's wrapper; register the inner object", "工具 %s 的 schema 带有 OpenAI 外层包装；请直接注册内层对象"}
	PluginSchemaBare      = Msg{
		"the schema of tool %s is a bare JSON Schema; put it under \"parameters\"",
		"工具 %s 的 schema 是裸 JSON Schema；请放到 \"parameters\" 之下",
	}
	PluginAsyncRegister = Msg{"register() is async and is never awaited; make it a plain function", "register() 是异步函数，不会被等待；请改为普通函数"}
	PluginNotNow        = Msg{"plugin %s is not running (%s)", "插件 %s 没有运行（%s）"}
	PluginNotEnabled    = Msg{"Plugin %s was not enabled; the choice could not be saved: %s", "插件 %s 未启用，设置无法保存：%s"}
	PluginNotDisabled   = Msg{"Plugin %s was not disabled; the choice could not be saved: %s", "插件 %s 未禁用，设置无法保存：%s"}
	PluginUnknown       = Msg{"there is no plugin %q", "没有插件 %q"}
	PluginReloadKept    = Msg{
		"The new plugin host could not load %s; the old one keeps serving.",
		"新的插件进程无法加载 %s；继续使用旧的进程。",
	}

	HintSibling = Msg{`a file beside the code is imported with "from . import %s"`, `同目录的文件请用 "from . import %s" 导入`}
	HintMissing = Msg{"install it for the Python that runs plugins: %s -m pip install %s", "请为运行插件的 Python 安装：%s -m pip install %s"}
	HintHermes  = Msg{"this version of hermes does not offer the module %s to plugins yet", "此版本的 hermes 尚未向插件提供模块 %s"}
	HintMeant   = Msg{"did you mean %s?", "是否想写 %s？"}

	HintContract      = Msg{"the handler returned %s; return a string, for instance json.dumps(...)", "处理函数返回了 %s；请返回字符串，例如 json.dumps(...)"}
	HintContractAsync = Msg{"the handler is async; register it with is_async=True", "处理函数是异步的；注册时请加 is_async=True"}
	HintResultCut     = Msg{"the result had %d characters and was cut", "结果有 %d 个字符，已被截断"}
	HintValueIgnored  = Msg{"the value is not one that this hook takes", "该返回值不是此钩子接受的形式"}
)
