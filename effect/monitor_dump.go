package effect

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rivus/agentkit/errors"
)

// FiberInfo is what a [Monitor] tells about a fiber.
type FiberInfo struct {
	ID       errors.FiberID // its number
	Name     string         // given by [ForkNamed]
	Kind     string         // what it is: "fiber", "root", "side of a race", …
	Parent   errors.FiberID // the fiber it was started by
	Started  time.Time      // when it was started
	Origin   Place          // where
	Waits    string         // the operation it waits in, such as "Deferred.Await"; empty while it runs
	WaitsAt  Place          // where that was called
	WaitsFor time.Time      // since when it waits
}

// Place is a line of a program.
type Place struct {
	Function string // what was called
	File     string // where
	Line     int    // the line in File
}

// String is "function (file:line)", or "unknown".
func (p Place) String() string {
	if p.Function == "" {
		return "unknown"
	}
	return fmt.Sprintf("%s (%s:%d)", p.Function, p.File, p.Line)
}

func (w *watched) info() FiberInfo {
	i := FiberInfo{ID: w.id, Name: w.name, Kind: w.kind, Parent: w.parent, Started: w.started, Origin: w.origin.caller()}
	if p := w.waiting.Load(); p != nil {
		i.Waits, i.WaitsAt, i.WaitsFor = p.at.operation(), p.at.caller(), p.since
	}
	return i
}

// Dump writes the live fibers as text, each below the one that started it: its name, where it was forked and how long ago, and what
// it waits for and how long.
func (m *Monitor) Dump(w io.Writer) error {
	fibers := m.Fibers()
	now := time.Now()
	children := map[errors.FiberID][]FiberInfo{}
	shown := map[errors.FiberID]bool{}
	for _, f := range fibers {
		shown[f.ID] = true
	}
	for _, f := range fibers {
		above := f.Parent
		if !shown[above] {
			above = 0
		}
		children[above] = append(children[above], f)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d live fibers at %s\n", len(fibers), now.Format(time.RFC3339Nano))
	var write func(above errors.FiberID, indent string)
	write = func(above errors.FiberID, indent string) {
		for _, f := range children[above] {
			b.WriteString(f.text(now, indent))
			write(f.ID, indent+"    ")
		}
	}
	write(0, "")
	_, err := io.WriteString(w, b.String())
	return err
}

func (i FiberInfo) text(now time.Time, indent string) string {
	state := "runs"
	if i.Waits != "" {
		state = fmt.Sprintf("waits in %s for %s, at %s", i.Waits, now.Sub(i.WaitsFor), i.WaitsAt)
	}
	parent := ""
	if i.Parent != 0 {
		parent = ", child of " + i.Parent.String()
	}
	return fmt.Sprintf("\n%[1]s%[2]s: %[3]s%[4]s\n%[1]s    forked %[5]s ago at %[6]s\n%[1]s    %[7]s\n",
		indent, title(i.ID, i.Name), i.Kind, parent, now.Sub(i.Started), i.Origin, state)
}
