module github.com/rivus/agentkit/effect/cron

go 1.27.4

require (
	github.com/rivus/agentkit v0.0.0
	github.com/robfig/cron/v3 v3.0.1
)

require (
	github.com/samber/mo v1.16.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/rivus/agentkit => ../..
