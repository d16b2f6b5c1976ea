module early.hermes/background

go 1.26.0

require github.com/charmbracelet/lipgloss v1.1.1-0.20250404203927-76690c660834
