package platformtest

// executable is the file to open for child processes, and binary how they execute it: through the descriptor, which
// exec.Cmd numbers 3.
func executable() string { return "/proc/self/exe" }

func binary() string { return "/proc/self/fd/3" }
