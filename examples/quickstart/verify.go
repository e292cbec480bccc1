package main

import "fmt"

// verify is all that is wrong with a run: nothing, if the library keeps its promise.
func verify(c config, s *story, want map[string]result, changed func(file string) bool) (wrong []error) {
	check := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	check(s.dead, "the kernel does not confirm that a worker ended by SIGKILL")
	if check(s.killed.done(), "nobody took over from the killed worker"); s.killed.done() {
		after := s.killed.taken.Sub(s.killed.at)
		check(after < c.ttl, "taking over from the killed worker took %v, longer than the TTL of %v", after, c.ttl)
	}
	check(s.frozen.worker != 0, "no worker was frozen")
	if check(s.frozen.done(), "nobody took over from the frozen worker"); s.frozen.done() {
		after := s.frozen.taken.Sub(s.frozen.renewed)
		check(after >= c.ttl, "the frozen worker's lease was taken %v after its renewal, before the TTL of %v", after, c.ttl)
	}
	check(s.refusedBy("lease"), "the lease did not refuse the write that came too late")
	check(s.refusedBy("table"), "the table did not refuse the write that came too late and without a lease")
	for file, w := range want {
		switch rows := s.rows[file]; {
		case len(rows) != 1:
			check(false, "%s has %d accepted results, it must have one", file, len(rows))
		case rows[0].result != w && changed(file):
			check(false, "%s was changed or removed while it was read: its result cannot be checked", file)
		default:
			check(rows[0].result == w, "%s: the result is %+v, it must be %+v", file, rows[0].result, w)
		}
	}
	for file := range s.rows {
		_, known := want[file]
		check(known, "there is a result for %s, which is no file of ours", file)
	}
	return wrong
}
