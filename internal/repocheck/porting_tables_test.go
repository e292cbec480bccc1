package repocheck

import "testing"

func TestEveryExportOfEffectHasARowThatIsTrue(t *testing.T) {
	findings, err := Porting(repository)
	expectNone(t, findings, err)
}
