// Package markdown renders a model's answer through glamour while it streams.
//
// # How a growing text stays cheap
//
// A text is cut into blocks at safe boundaries: a blank line with no open
// fence, list, table, quote or formula (Split). Each block is rendered on its
// own and cached; while text arrives only the last, unfinished block is
// rendered again. The finished text is cut and rendered by the same two
// functions, so the last streamed screen and the final one are the same.
//
// The decision about a boundary needs the line after the blank one to be
// complete: until then the block stays open.
//
// # What glamour is not trusted with
//
// It wraps by words only and counts widths of its own, so it is run without
// wrapping and its lines are wrapped here, with hanging indents. Raw HTML,
// which it drops, is escaped before. Fences whose language it does not know
// are marked as plain text, since it would otherwise guess on every frame.
package markdown
