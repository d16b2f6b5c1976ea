package config

import (
	"slices"
	"strings"
)

// known lists the settings of contract/core §4 and those of our own, by the
// mapping that holds them; an empty name stands for the top. A name that ends
// in ".*" takes any keys below it.
func known() map[string]string {
	return map[string]string{
		"": `model model.* providers.* custom_providers model_aliases.* fallback_providers provider_routing.* openrouter.* auxiliary.*
			command_allowlist quick_commands.* personalities.* mcp_servers.* hooks hooks.* hooks_auto_accept worktree worktree_sync
			timezone prefill_messages_file platform_toolsets.* known_plugin_toolsets.* platform_hints.* lsp.* onboarding.* model_catalog.*
			file_read_max_chars context_file_max_chars paste_collapse_threshold paste_collapse_threshold_fallback
			paste_collapse_char_threshold max_turns toolsets _config_version web.* tts.* stt.* voice.* browser.* gateway.* cron.* updates.*`,
		"agent": `max_turns api_max_retries system_prompt tool_use_enforcement task_completion_guidance parallel_tool_call_guidance
			environment_probe environment_hint coding_context coding_instructions verify_on_stop verify_guidance max_verify_nudges
			image_input_mode disabled_toolsets intent_ack_continuation service_tier reasoning_effort reasoning_overrides.*`,
		"terminal": `backend cwd timeout env_passthrough home_mode shell_init_files auto_source_bashrc persistent_shell`,
		"display": `skin theme streaming show_reasoning reasoning_full tool_progress tool_preview_length friendly_tool_labels inline_diffs
			final_response_markdown compact timestamps timestamp_format bell_on_complete show_cost busy_input_mode resume_display
			resume_exchanges resume_max_user_chars resume_max_assistant_chars resume_max_assistant_lines resume_skip_tool_only
			user_message_preview.* persist_prompts file_mutation_verifier turn_completion_explainer personality language interface
			copy_shortcut tui_status_indicator`,
		"approvals":            `mode timeout deny cron_mode destructive_slash_confirm mcp_reload_confirm`,
		"compression":          `enabled threshold target_ratio protect_last_n protect_first_n abort_on_summary_failure in_place`,
		"memory":               `memory_enabled user_profile_enabled write_approval memory_char_limit user_char_limit provider`,
		"skills":               `external_dirs template_vars inline_shell inline_shell_timeout guard_agent_created write_approval disabled`,
		"delegation":           `model provider base_url api_key max_iterations max_concurrent_children max_spawn_depth orchestrator_enabled child_timeout_seconds max_summary_chars reasoning_effort subagent_auto_approve`,
		"checkpoints":          `enabled max_snapshots max_total_size_mb max_file_size_mb auto_prune retention_days`,
		"tool_output":          `max_bytes max_lines max_line_length`,
		"tool_loop_guardrails": `hard_stop_enabled *`,
		"clarify":              `timeout`,
		"code_execution":       `mode timeout max_tool_calls`,
		"security":             `redact_secrets allow_private_urls website_blocklist.* tirith_enabled tirith_* allow_lazy_installs`,
		"logging":              `level max_size_mb backup_count`,
		"sessions":             `auto_prune retention_days vacuum_after_prune keep_injected`,
		"plugins":              `enabled disabled entries.* python tool_timeout_s hook_timeout_s load_timeout_s memory_limit`,
		"prompt_caching":       `cache_ttl`,
		"network":              `force_ipv4`,
		"goals":                `max_turns`,
		"tools":                `tool_search.*`,
	}
}

// KnownKeys returns the names of the settings that have one, sorted.
func KnownKeys() []string {
	var out []string
	for group, names := range known() {
		for _, name := range strings.Fields(names) {
			if strings.Contains(name, "*") {
				continue
			}
			out = append(out, join(group, name))
		}
	}
	slices.Sort(out)
	return out
}

func join(group, name string) string {
	if group == "" {
		return name
	}
	return group + "." + name
}

// IsKnown reports whether something reads the setting at path, or below it.
func IsKnown(path []string) bool {
	key := dotted(path)
	for group, names := range known() {
		if group == key {
			return true
		}
		for _, name := range strings.Fields(names) {
			name = join(group, name)
			stem, open := strings.CutSuffix(name, "*")
			if name == key || strings.TrimSuffix(stem, ".") == key || (open && strings.HasPrefix(key, stem)) {
				return true
			}
		}
	}
	return false
}

// Similar returns known keys that a mistyped one may mean: those with the same
// last part, or that it is the beginning of.
func Similar(path []string) []string {
	last, key := path[len(path)-1], dotted(path)
	var out []string
	for _, k := range KnownKeys() {
		if k == last || strings.HasSuffix(k, "."+last) || strings.HasPrefix(k, key) {
			out = append(out, k)
		}
	}
	return out[:min(len(out), 3)]
}
