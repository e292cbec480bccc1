package effect_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	. "github.com/rivus/agentkit/effect"
)

func TestExitTexts(t *testing.T) {
	ok, failed := ExitSucceed(struct{ N int }{1}), ExitFail[int](&notFound{ID: 7})
	for _, c := range []struct{ got, want string }{
		{fmt.Sprintf("%v", ok), "Success({1})"},
		{fmt.Sprintf("%+v", ok), "Success({N:1})"},
		{fmt.Sprintf("%s", ExitFail[int](E("e"))), "Failure(e)"},
		{fmt.Sprintf("%q", ExitFail[int](E("e"))), `"Failure(e)"`},
		{fmt.Sprintf("%+v", ExitDie[int]("bug")), "Failure:\ndefect: bug"},
		{fmt.Sprintf("%+v", failed), "Failure:\nfailure NotFound: "},
	} {
		if c.got != c.want {
			t.Errorf("got %q; want %q", c.got, c.want)
		}
	}
}

func TestExitsInJSON(t *testing.T) {
	for want, x := range map[string]any{
		`{"_tag":"Success","value":1}`:                                                        ExitSucceed(1),
		`{"_tag":"Success","value":{}}`:                                                       ExitSucceed(Unit{}),
		`{"_tag":"Failure","cause":[{"_tag":"Fail","error":"e"}]}`:                            ExitFail[int](E("e")),
		`{"_tag":"Success","value":{"_tag":"Failure","cause":[{"_tag":"Die","defect":"d"}]}}`: ExitSucceed(ExitDie[int]("d")),
	} {
		if got, err := json.Marshal(x); err != nil || string(got) != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
}

func TestExitsInALog(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	log.Info("run", "exit", ExitSucceed(1))
	log.Info("run", "exit", ExitFail[int](E("e")))
	for _, want := range []string{"exit.exit=Success exit.value=1", "exit.exit=Failure exit.cause.0.reason=Fail exit.cause.0.error=e"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in %s", want, &out)
		}
	}
}
