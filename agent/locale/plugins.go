package locale

// Texts about plugins and their host.
var (
	// PluginMissingEnv is the sentence the guide promises (decision D2).
	PluginMissingEnv = Msg{"Plugin %s disabled (missing: %s)", "插件 %s 已禁用（缺少：%s）"}
)
