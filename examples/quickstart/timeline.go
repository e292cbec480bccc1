package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
)

// timeline prints what happens, as it happens: the drama in full, and the daily work as far as a person reads it.
type timeline struct {
	config
	to    io.Writer
	began time.Time
	files int
	taken int
	lines int // of daily work that were printed
}

// daily is how many lines of daily work are printed.
const daily = 12

func newTimeline(to io.Writer, c config) *timeline {
	return &timeline{config: c, to: to, began: time.Now()}
}

// line prints one entry. With -json it is an object with what happened.
func (t *timeline) line(mark, kind string, data map[string]any, format string, args ...any) {
	at := time.Since(t.began)
	if t.json {
		entry := map[string]any{"event": kind, "ms": at.Milliseconds()}
		maps.Copy(entry, data)
		_ = json.NewEncoder(t.to).Encode(entry)
		return
	}
	fmt.Fprintf(t.to, "%7.3fs %s %s\n", at.Seconds(), mark, fmt.Sprintf(format, args...))
}

func (t *timeline) skipped(why []string) {
	for _, w := range why {
		t.line("!", "skipped", map[string]any{"reason": w}, "skipped: %s", show(w))
	}
}

func (t *timeline) nothing() {
	t.line(" ", "nothing", map[string]any{"dir": t.dir}, "nothing to do: no files in %s", show(t.dir))
}

// show is a name as a terminal can take it: without control characters, and not too long.
func show(name string) string {
	const most = 80
	if r := []rune(name); len(r) > most {
		name = string(r[:most/2]) + "…" + string(r[len(r)-most/2:])
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}

func (t *timeline) begin(files []string) {
	t.files = len(files)
	t.line(" ", "begin", map[string]any{"workers": t.workers, "files": t.files, "ttl": t.ttl.String()},
		"%d processes share %d files; a silent process keeps its lease for %v", t.workers, t.files, t.ttl)
}

// routine prints an entry of daily work, unless there have been enough.
func (t *timeline) routine(kind string, n news, format string, args ...any) {
	if t.lines++; t.json || t.lines <= daily {
		t.line(" ", kind, map[string]any{"worker": n.Worker, "file": n.File, "token": n.Token}, format, args...)
	} else if t.lines == daily+1 {
		t.line(" ", "", nil, "… and so on")
	}
}

func (t *timeline) took(n news) {
	if t.taken++; n.From == 0 {
		t.routine("took", n, "worker %d takes %s with token %d", n.Worker, show(n.File), n.Token)
	}
}

func (t *timeline) wrote(n news) {
	t.routine("wrote", n, "worker %d writes %s", n.Worker, show(n.File))
}

func (t *timeline) killed(k takenOver) {
	t.line("✗", "killed", k.data(), "worker %d (pid %d) is killed while it computes %s, token %d", k.worker, k.pid, show(k.file), k.token)
}

func (t *timeline) frozen(f takenOver) {
	t.line("‖", "frozen", f.data(), "worker %d (pid %d) is frozen between computing and writing %s, token %d", f.worker, f.pid, show(f.file), f.token)
}

func (t *timeline) takenOver(o takenOver) {
	data := o.data()
	data["by"], data["byToken"], data["reason"], data["afterMs"] = o.by, o.byToken, o.reason, o.taken.Sub(o.at).Milliseconds()
	t.line("→", "takenOver", data, "worker %d takes %s over from worker %d after %v with token %d: %s",
		o.by, show(o.file), o.worker, o.taken.Sub(o.at).Round(time.Millisecond), o.byToken, o.reason)
}

func (t *timeline) resumed(f takenOver) {
	t.line("▶", "resumed", f.data(), "worker %d goes on, as if nothing had happened", f.worker)
}

func (t *timeline) refused(n news) {
	who := "its lease"
	if n.By == "table" {
		who = "the table, where it writes without its lease"
	}
	t.line("⛔", "refused", map[string]any{"worker": n.Worker, "file": n.File, "token": n.Token, "by": n.By, "reason": n.Reason},
		"worker %d's write of %s is refused by %s: %s", n.Worker, show(n.File), who, n.Reason)
}

func (o takenOver) data() map[string]any {
	return map[string]any{"worker": o.worker, "pid": o.pid, "file": o.file, "token": o.token}
}

// rowsShown is how many results are printed.
const rowsShown = 10

// table prints the results beside what they must be.
func (t *timeline) table(s *story, want map[string]result) {
	if t.json {
		for _, file := range slices.Sorted(maps.Keys(want)) {
			for _, r := range s.rows[file] {
				_ = json.NewEncoder(t.to).Encode(map[string]any{"event": "result", "file": file, "token": r.token,
					"worker": r.worker, "result": r.result, "right": r.result == want[file]})
			}
		}
		return
	}
	fmt.Fprintln(t.to)
	w := tabwriter.NewWriter(t.to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "file\ttoken\tworker\tlines\tbytes\tsha256\tchecked")
	shown := t.pick(s, want)
	for _, file := range shown {
		for _, r := range s.rows[file] {
			sum, checked := r.result.SHA256, "right"
			if r.result.Problem != "" {
				sum = show(r.result.Problem)
			} else {
				sum = sum[:8] + "…"
			}
			if r.result != want[file] {
				checked = "WRONG"
			}
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t%s\n", show(file), r.token, r.worker, r.result.Lines, r.result.Bytes, sum, checked)
		}
	}
	_ = w.Flush()
	if more := len(want) - len(shown); more > 0 {
		fmt.Fprintf(t.to, "… and %d more\n", more)
	}
}

// pick is the files to show: those with a story, those with a problem, and the first of the others.
func (t *timeline) pick(s *story, want map[string]result) []string {
	var special, plain []string
	for _, file := range slices.Sorted(maps.Keys(want)) {
		rows := s.rows[file]
		if len(rows) != 1 || rows[0].token > 1 || rows[0].result != want[file] || want[file].Problem != "" {
			special = append(special, file)
		} else {
			plain = append(plain, file)
		}
	}
	return append(special, plain[:min(len(plain), max(0, rowsShown-len(special)))]...)
}

func (t *timeline) verdict(s *story, wrong []error) {
	if t.json {
		text := make([]string, len(wrong))
		for i, err := range wrong {
			text[i] = err.Error()
		}
		_ = json.NewEncoder(t.to).Encode(map[string]any{"event": "end", "ms": s.took.Milliseconds(), "wrong": text})
		return
	}
	if len(wrong) == 0 {
		fmt.Fprintf(t.to, "\n%d files, one accepted result each, all as a single thread computes them, in %v.\n",
			t.files, s.took.Round(time.Millisecond))
	}
}
