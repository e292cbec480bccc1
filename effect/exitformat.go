package effect

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"

	"github.com/rivus/agentkit/errors"
)

// String is "Success(value)" or "Failure(cause)", the cause on one line.
func (x Exit[A]) String() string {
	if x.Cause != nil {
		return "Failure(" + x.Cause.Error() + ")"
	}
	return fmt.Sprintf("Success(%v)", x.Value)
}

// Format prints [Exit.String], and for %+v the value with its fields, or the cause's reasons with their stacks.
func (x Exit[A]) Format(f fmt.State, verb rune) {
	switch {
	case verb == 'v' && f.Flag('+') && x.Cause != nil:
		_, _ = fmt.Fprintf(f, "Failure:\n%+v", x.Cause)
	case verb == 'v' && f.Flag('+'):
		_, _ = fmt.Fprintf(f, "Success(%+v)", x.Value)
	case verb == 'q':
		_, _ = fmt.Fprintf(f, "%q", x.String())
	default:
		_, _ = io.WriteString(f, x.String())
	}
}

// LogValue is the exit for log/slog: a group with its value, or with its cause.
func (x Exit[A]) LogValue() slog.Value {
	if x.Cause != nil {
		return slog.GroupValue(slog.String("exit", "Failure"), slog.Any("cause", x.Cause))
	}
	return slog.GroupValue(slog.String("exit", "Success"), slog.Any("value", x.Value))
}

// MarshalJSON is {"_tag":"Success","value":…} or {"_tag":"Failure","cause":[…]}; see [errors.Cause.MarshalJSON].
func (x Exit[A]) MarshalJSON() ([]byte, error) {
	if x.Cause != nil {
		return json.Marshal(struct {
			Tag   string        `json:"_tag"`
			Cause *errors.Cause `json:"cause"`
		}{"Failure", x.Cause})
	}
	return json.Marshal(struct {
		Tag   string `json:"_tag"`
		Value A      `json:"value"`
	}{"Success", x.Value})
}
