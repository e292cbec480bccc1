package effect

import (
	"fmt"
	"strings"

	"github.com/rivus/agentkit/errors"
)

// farthest is how many fibers a path names at most.
const farthest = 8

// path names the fiber and those it is a part or a child of, the innermost first: `#9, part of #7 "worker", child of #1`.
func (f *fiber) path() string {
	var b strings.Builder
	b.WriteString(f.title())
	for range farthest {
		if f.host != nil {
			b.WriteString(", part of ")
			f = f.host
		} else if f = f.parent.Load(); f != nil {
			b.WriteString(", child of ")
		} else {
			return b.String()
		}
		b.WriteString(f.title())
	}
	return b.String() + " …"
}

func (f *fiber) title() string { return title(f.id, f.name) }

// title is how a fiber is named in paths, dumps and labels.
func title(id errors.FiberID, name string) string {
	if name == "" {
		return id.String()
	}
	return fmt.Sprintf("%s %q", id, name)
}
