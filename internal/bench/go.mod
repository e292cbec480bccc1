module github.com/rivus/agentkit/internal/bench

go 1.27.4

require (
	github.com/rivus/agentkit v0.0.0
	github.com/samber/mo v1.16.0
	github.com/sourcegraph/conc v0.3.0
	golang.org/x/sync v0.25.0
)

require (
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
)

replace github.com/rivus/agentkit => ../..
