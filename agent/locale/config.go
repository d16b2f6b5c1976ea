package locale

// Texts about config.yaml, .env, and the model they choose.
var (
	// CfgBroken takes the place (file:line) and the parser's reason.
	CfgBroken = Msg{"%s: %s. Default settings are used until it is mended", "%s：%s。修正之前使用默认设置"}
	// CfgBackup follows CfgBroken; it takes the name of the copy.
	CfgBackup = Msg{"; a copy is kept as %s", "；已保留副本 %s"}
	// CfgUnreadable takes the path and the system's reason.
	CfgUnreadable = Msg{"Cannot read %s: %v. Default settings are used", "无法读取 %s：%v。将使用默认设置"}
	// CfgUndecodable takes the key and the reason.
	CfgUndecodable = Msg{"%s cannot be used: %v", "%s 无法使用：%v"}
	// CfgWrongType takes the key and one of the CfgWant texts.
	CfgWrongType = Msg{"%s should be %s; the default is used", "%s 应为%s；使用默认值"}
	// CfgOneValue takes the key and the value.
	CfgOneValue = Msg{"%s should be a list; the one value %q is taken", "%s 应为列表；按单个值 %q 处理"}
	// CfgListEntry takes the key.
	CfgListEntry = Msg{"an entry of %s is not a single value and is left out", "%s 中有一项不是单个值，已忽略"}

	CfgWantSingle = Msg{"a single value", "单个值"}
	CfgWantBool   = Msg{"true or false", " true 或 false"}
	CfgWantNumber = Msg{"a number", "数字"}
	CfgWantList   = Msg{"a list", "列表"}

	// DotenvUnreadable takes the reason.
	DotenvUnreadable = Msg{"cannot be read, its variables are missing: %v", "无法读取，其中的变量缺失：%v"}
	DotenvLatin1     = Msg{"is not UTF-8; it was read as Latin-1", "不是 UTF-8 编码；已按 Latin-1 读取"}
	DotenvBroken     = Msg{"this line is not NAME=value and is left out", "此行不是“名称=值”的形式，已忽略"}
	// DotenvNonASCII takes the name of the variable.
	DotenvNonASCII = Msg{"%s holds characters that no key has; they were left out", "%s 含有密钥中不会出现的字符，已去除"}
)

// Texts about the choice of a model.
var (
	// CfgUnknownProvider takes the name and some known ones.
	CfgUnknownProvider = Msg{"unknown provider %q. Known are %s and others; a name of your own goes under providers: with a base_url", "未知的服务商 %q。已知的有 %s 等；自定义名称请写在 providers: 下并给出 base_url"}
	// CfgProviderLater takes the provider.
	CfgProviderLater = Msg{"provider %s needs a login that this program does not have yet; choose one that takes an API key", "服务商 %s 需要登录，本程序尚不支持；请选择使用 API 密钥的服务商"}
	// CfgModeLater takes the provider and the api_mode.
	CfgModeLater = Msg{"provider %s speaks %s, which this program does not yet; choose a service with an OpenAI-compatible endpoint (chat_completions)", "服务商 %s 使用 %s 协议，本程序尚不支持；请选择提供 OpenAI 兼容接口（chat_completions）的服务"}
	// CfgNoModel takes the provider.
	CfgNoModel = Msg{"no model is chosen for provider %s; set model.default in config.yaml or pass --model", "未选择服务商 %s 的模型；请在 config.yaml 中设置 model.default，或使用 --model"}
	// CfgNoBaseURL takes the provider.
	CfgNoBaseURL = Msg{"provider %s needs model.base_url, for example http://127.0.0.1:8000/v1", "服务商 %s 需要设置 model.base_url，例如 http://127.0.0.1:8000/v1"}
	// CfgBadBaseURL takes the URL.
	CfgBadBaseURL = Msg{"%q is not an http:// or https:// address", "%q 不是 http:// 或 https:// 地址"}
	// CfgNoKey takes the provider and the variables.
	CfgNoKey = Msg{"No usable credentials found for provider '%s'. Set %s in ~/.hermes/.env", "未找到服务商“%s”可用的密钥。请在 ~/.hermes/.env 中设置 %s"}
)

// Texts about plugin folders and their manifests, before anything of them runs.
// Where the reference has a text, the English one is that.
var (
	// ManifestDuplicate takes the key.
	ManifestDuplicate = Msg{"duplicate key %q; the last value is used", "键 %q 重复；采用最后一个值"}
	// ManifestOneValue takes the field.
	ManifestOneValue = Msg{"%s should be a list; the one value is taken", "%s 应为列表；按单个值处理"}
	// ManifestKind takes the kind and the valid ones.
	ManifestKind = Msg{"unknown kind %q (valid: %s); taken as standalone", "未知的 kind %q（有效值：%s）；按 standalone 处理"}

	// FoundBroken takes the place (file:line) and the reason.
	FoundBroken = Msg{"manifest cannot be read: %s: %s", "清单无法读取：%s：%s"}
	// FoundNoManifest takes the folder.
	FoundNoManifest = Msg{"no plugin.yaml beside __init__.py in %s", "%s 中有 __init__.py，但缺少 plugin.yaml"}
	// FoundTooDeep takes the folder.
	FoundTooDeep = Msg{"nested too deep: %s; a plugin folder is at most two levels below plugins/", "嵌套过深：%s；插件文件夹最多位于 plugins/ 下两层"}
	// FoundReplaced takes the source and folder of the plugin that counts.
	FoundReplaced = Msg{"replaced by the %s plugin in %s", "已被%s插件 %s 取代"}
	// FoundUnreadable takes the folder and the reason.
	FoundUnreadable = Msg{"cannot read folder %s: %v", "无法读取文件夹 %s：%v"}
	FoundSafeMode   = Msg{"safe mode: no plugin is loaded", "安全模式：不加载任何插件"}
	// FoundOff takes the key.
	FoundOff           = Msg{"not enabled in config (run `hermes plugins enable %s` to activate)", "未启用（运行 `hermes plugins enable %s` 以启用）"}
	FoundDisabled      = Msg{"disabled via config", "已在 config.yaml 中禁用"}
	FoundExclusive     = Msg{"exclusive plugin — activate via <category>.provider config", "独占插件：由 config.yaml 中的 <类别>.provider 选择"}
	FoundModelProvider = Msg{"model provider: used when model.provider names it", "模型服务商插件：当 model.provider 指定它时使用"}
	FoundPlatform      = Msg{"platform: loaded at its first use", "平台插件：首次使用时加载"}
	// FoundIgnoresEnv takes the variables and the key of the setting.
	FoundIgnoresEnv = Msg{"loaded without %s, as plugins.entries.%s.ignore_requires_env says", "缺少 %s，但因 plugins.entries.%s.ignore_requires_env 仍然加载"}
	// FoundNeedsEnv takes the variables.
	FoundNeedsEnv = Msg{"needs %s", "需要 %s"}
	// FoundNoInit takes the folder.
	FoundNoInit = Msg{"No __init__.py in %s", "%s 中没有 __init__.py"}

	SourceBundled    = Msg{"bundled", "内置"}
	SourceUser       = Msg{"user", "用户"}
	SourceProject    = Msg{"project", "项目"}
	SourceEntryPoint = Msg{"pip", "pip "}
)
