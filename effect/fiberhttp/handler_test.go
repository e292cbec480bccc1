package fiberhttp_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/fiberhttp"
)

func TestTheHandlerServesTheFibersThatAreAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := effect.NewMonitor()
		f := effect.Start(t.Context(), effect.Fork(effect.Never[effect.Unit](), effect.ForkNamed("worker")).
			AndThen(effect.Sleep(time.Second)).With(effect.Monitoring.Of(m)))
		synctest.Wait()
		served := get(m)
		if served.Code != 200 || served.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("got %d, %v", served.Code, served.Header())
		}
		if text := served.Body.String(); !strings.HasPrefix(text, "2 live fibers at ") || !strings.Contains(text, `"worker": fiber`) || !strings.Contains(text, "waits in Never") {
			t.Errorf("got %s", text)
		}
		<-f.Done()
		if text := get(m).Body.String(); !strings.HasPrefix(text, "0 live fibers at ") {
			t.Errorf("got %s", text)
		}
	})
}

func get(m *effect.Monitor) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	fiberhttp.Handler(m).ServeHTTP(w, httptest.NewRequest("GET", "/debug/fibers", nil))
	return w
}
