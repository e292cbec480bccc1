package fiberhttp_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/rivus/agentkit/effect"
	"github.com/rivus/agentkit/effect/fiberhttp"
)

func ExampleHandler() {
	monitor := effect.NewMonitor()
	handler := fiberhttp.Handler(monitor) // for a mux: mux.Handle("/debug/fibers", handler)
	program := effect.Call(func() {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest("GET", "/debug/fibers", nil))
		fmt.Println(answer.Code, strings.Contains(answer.Body.String(), "root"))
	})
	_, err := program.With(effect.Monitoring.Of(monitor)).Run(context.Background())
	fmt.Println(err)
	// Output:
	// 200 true
	// <nil>
}
