package effect

import "fmt"

// InvalidConfig is the failure of a constructor that was given a configuration which makes no sense.
type InvalidConfig struct {
	Of     string // the type that was to be made
	Field  string // which field
	Reason string // what is wrong with it
}

// Error names the field and what is wrong with it.
func (e *InvalidConfig) Error() string {
	return fmt.Sprintf("effect.%s: invalid configuration: %s %s", e.Of, e.Field, e.Reason)
}

// Tag is "InvalidConfig".
func (e *InvalidConfig) Tag() string { return "InvalidConfig" }
