package skills

import (
	"context"
	"slices"

	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

const listDescription = `Lists the skills: name, description and category of each, nothing of their content. Use it to find one by what it is about when the list in your instructions does not settle it; read the one you want with skill_view. category keeps to one category.`

const listParameters = `{"type":"object","properties":{"category":{"type":"string","description":"only skills of this category"}}}`

type row struct {
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Category    *string `json:"category"`
}

type listed struct {
	Success    bool     `json:"success"`
	Skills     []row    `json:"skills"`
	Categories []string `json:"categories"`
	Count      *int     `json:"count,omitempty"`
	Hint       string   `json:"hint,omitempty"`
	Message    string   `json:"message,omitempty"`
}

func (d Deps) list(_ context.Context, c tool.Call) tool.Result {
	var args struct {
		Category string `json:"category"`
	}
	if err := unmarshal(c, &args); err != nil {
		return refuse("%v", err)
	}
	all := d.Library().Scan()
	d.Found(all)
	out := listed{Success: true, Skills: []row{}, Categories: []string{}}
	any := false
	for _, s := range all {
		if s.Off != "" {
			continue
		}
		any = true
		if args.Category != "" && s.Category != args.Category {
			continue
		}
		r := row{Name: s.Name, Description: s.Description}
		if s.Category != "" {
			r.Category = &s.Category
			if !slices.Contains(out.Categories, s.Category) {
				out.Categories = append(out.Categories, s.Category)
			}
		}
		out.Skills = append(out.Skills, r)
	}
	if !any {
		out.Message = "No skills found in skills/ directory."
		return result.JSON(out)
	}
	n := len(out.Skills)
	out.Count = &n
	out.Hint = "Use skill_view(name) to see full content, tags, and linked files"
	return result.JSON(out)
}
