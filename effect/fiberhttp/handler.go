package fiberhttp

import (
	"bytes"
	"net/http"

	"github.com/rivus/agentkit/effect"
)

// Handler serves the dump of the live fibers as plain text, as it is when it is asked for. See [effect.Monitor.Dump].
func Handler(m *effect.Monitor) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var text bytes.Buffer
		_ = m.Dump(&text) // a buffer takes everything
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(text.Bytes()) // who asked has gone if it fails
	})
}
