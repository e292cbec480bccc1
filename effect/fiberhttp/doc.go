// Package fiberhttp serves what a monitor of fibers sees over HTTP, as net/http/pprof serves profiles:
//
//	mux.Handle("GET /debug/fibers", fiberhttp.Handler(monitor))
//
// It is a package of its own, so that programs without a server do not link one. What it serves names functions and files of the
// program: serve it where profiles are served, and not to the world.
package fiberhttp
