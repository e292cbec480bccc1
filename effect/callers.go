package effect

import (
	"runtime"
	"strings"
	"unicode"
)

// stack is where a goroutine was, to be read only when somebody asks.
type stack struct {
	pcs  [24]uintptr
	size int
}

// callers is the stack of the one who calls the function that calls it.
func callers() (s stack) {
	s.size = runtime.Callers(3, s.pcs[:])
	return s
}

// frames calls f with each frame until it returns false.
func (s *stack) frames(f func(runtime.Frame) bool) {
	if s.size == 0 {
		return
	}
	for frames := runtime.CallersFrames(s.pcs[:s.size]); ; {
		frame, more := frames.Next()
		if !f(frame) || !more {
			return
		}
	}
}

// pkg is the path of this package, as in the names of its functions.
var pkg = func() string {
	pc, _, _, _ := runtime.Caller(0)
	name := runtime.FuncForPC(pc).Name()
	dot := strings.IndexByte(name[strings.LastIndexByte(name, '/')+1:], '.')
	return name[:strings.LastIndexByte(name, '/')+1+dot+1]
}()

// caller is the nearest line outside the library and the runtime.
func (s *stack) caller() (p Place) {
	s.frames(func(f runtime.Frame) bool {
		if strings.HasPrefix(f.Function, pkg) || strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "sync.") {
			return true
		}
		p = Place{f.Function, f.File, f.Line}
		return false
	})
	return p
}

// operation is the innermost exported function of the library, as "Sleep" or "Deferred.Await".
func (s *stack) operation() (name string) {
	s.frames(func(f runtime.Frame) bool {
		rest, ours := strings.CutPrefix(f.Function, pkg)
		if ours {
			name = exported(rest)
		}
		return name == ""
	})
	return name
}

// exported is the name of an exported function or method within the package; empty when it is none. Type arguments, and the
// numbers of closures, are left out.
func exported(function string) string {
	var b strings.Builder
	depth := 0
	for _, r := range function {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case '(', ')', '*':
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	var parts []string
	for _, part := range strings.Split(b.String(), ".") {
		if public, ok := strings.CutPrefix(part, "eval"); ok && public != "" {
			part = public // what an effect does that is made once, away from the method that hands it out
		}
		if !unicode.IsUpper(rune(part[0])) {
			break
		}
		parts = append(parts, part)
	}
	if len(parts) == 1 && strings.HasPrefix(function, "(") {
		return "" // an unexported method
	}
	return strings.Join(parts, ".")
}
