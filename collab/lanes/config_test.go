package lanes

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/samber/mo"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/errors"
)

// LA-16, S105; LN-7
func TestAnInvalidConfigIsRefusedWithTheField(t *testing.T) {
	valid := func() Config[string] { return Config[string]{MaxConcurrent: 1, Activate: forEver} }
	for i, row := range []struct {
		field  string
		change func(*Config[string])
	}{
		{"MaxConcurrent", func(c *Config[string]) { c.MaxConcurrent = 0 }},
		{"MaxConcurrent", func(c *Config[string]) { c.MaxConcurrent = -1 }},
		{"MaxConcurrent", func(c *Config[string]) { c.MaxConcurrent = 1 << 53 }},
		{"MaxQueued", func(c *Config[string]) { c.MaxQueued = mo.Some(-1) }},
		{"MaxQueued", func(c *Config[string]) { c.MaxQueued = mo.Some(1 << 53) }},
		{"TurnTimeout", func(c *Config[string]) { c.TurnTimeout = mo.Some(time.Duration(0)) }},
		{"TurnTimeout", func(c *Config[string]) { c.TurnTimeout = mo.Some(-time.Second) }},
		{"Activate", func(c *Config[string]) { c.Activate = nil }},
		{"ShutdownGrace", func(c *Config[string]) { c.ShutdownGrace = -1 }},
		{"StuckAfter", func(c *Config[string]) { c.StuckAfter = -1 }},
	} {
		config := valid()
		row.change(&config)
		_, err := New(config).Scoped().Run(t.Context())
		if f := failed[*ConfigInvalid](t, err, "LanesConfigInvalid"); f.Field != row.field || !strings.HasPrefix(f.Error(), "make lanes: Config."+row.field) {
			t.Errorf("row %d: got %v; want %s", i, err, row.field)
		}
	}
	for i, change := range []func(*Config[string]){
		func(*Config[string]) {},
		func(c *Config[string]) { c.MaxConcurrent = 1<<53 - 1 },
		func(c *Config[string]) { c.MaxQueued = mo.Some(0) },
		func(c *Config[string]) { c.TurnTimeout = mo.Some(time.Nanosecond) },
	} {
		config := valid()
		change(&config)
		synctest.Test(t, func(t *testing.T) {
			if _, err := New(config).Scoped().Run(t.Context()); err != nil {
				t.Errorf("valid row %d: %v", i, err)
			}
		})
	}
}

func TestNewWithoutAScopeIsADefectThatNamesTheRemedy(t *testing.T) {
	_, err := New(Config[string]{MaxConcurrent: 1, Activate: forEver}).Run(t.Context())
	c, ok := err.(*errors.Cause)
	if !ok || !c.HasDies() || !strings.Contains(err.Error(), "scope") {
		t.Errorf("got %v", err)
	}
	var none *effect.NoScope
	if d, _ := c.FindDie(); d.Defect == nil || !errors.As(d.Defect.(error), &none) {
		t.Errorf("got the defect %v; want NoScope", d.Defect)
	}
}
