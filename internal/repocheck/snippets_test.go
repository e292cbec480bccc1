package repocheck

import "testing"

func TestTheCodeInTextsIsTheCodeOfAGoFile(t *testing.T) {
	findings, err := Snippets(repository)
	expectNone(t, findings, err)
}

func TestSnippetsFindsCodeThatNobodyCompiles(t *testing.T) {
	const source = "package p\n\nfunc F() int {\n\tif true {\n\t\treturn 1\n\t}\n\treturn 2\n}\n"
	cases := map[string]struct{ text, want string }{
		"a whole function":        {"```go\nfunc F() int {\n\tif true {\n\t\treturn 1\n\t}\n\treturn 2\n}\n```\n", ""},
		"a part, less indented":   {"```go\nif true {\n\treturn 1\n}\n```\n", ""},
		"inside a list":           {"- so:\n\n  ```go\n  return 2\n  ```\n", ""},
		"another text":            {"```go\nreturn 3\n```\n", "p.md:1: no Go file has this code"},
		"the beginning of a line": {"```go\nreturn\n```\n", "no Go file has this code"},
		"with a line left out":    {"```go\nif true {\n}\n```\n", "no Go file has this code"},
		"another language":        {"```sh\nls\n```\n", ""},
		"what is no block":        {"    return 3\n", ""},
		"the second of two":       {"```go\nreturn 2\n```\n\n```go\nreturn 3\n```\n", "p.md:5"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			findings, err := Snippets(files{"p/p.go": source, "p.md": c.text}.fs())
			expectFinding(t, findings, err, c.want)
		})
	}
}
