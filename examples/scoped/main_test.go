package main

import (
	"context"
	"fmt"
	"os"
)

// in runs body in a folder of its own.
func in(body func()) {
	dir, err := os.MkdirTemp("", "scoped-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	before, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	defer os.Chdir(before)
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
	body()
}

func Example() {
	in(func() {
		_ = os.WriteFile("from.txt", []byte("a few words"), 0o600)
		fmt.Println(copyFile(context.Background(), "from.txt", "to.txt"))
		text, err := os.ReadFile("to.txt")
		fmt.Println(string(text), err)
	})
	// Output:
	// close to.txt.draft
	// rename to.txt.draft
	// close from.txt
	// <nil>
	// a few words <nil>
}

func Example_cancelled() {
	in(func() {
		_ = os.WriteFile("from.txt", []byte("a few words"), 0o600)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		fmt.Println(copyFile(ctx, "from.txt", "to.txt"))
		_, err := os.Stat("to.txt")
		fmt.Println(os.IsNotExist(err))
	})
	// Output:
	// close to.txt.draft
	// remove to.txt.draft
	// close from.txt
	// context canceled
	// true
}

// A copy onto a folder fails in a finalizer, where the draft is renamed. The error is the copy's, and the other finalizers run.
func Example_folder() {
	in(func() {
		_ = os.WriteFile("from.txt", nil, 0o600)
		_ = os.Mkdir("to.txt", 0o700)
		fmt.Println("fails:", copyFile(context.Background(), "from.txt", "to.txt") != nil)
		_, err := os.Stat("to.txt.draft")
		fmt.Println(os.IsNotExist(err))
	})
	// Output:
	// close to.txt.draft
	// rename to.txt.draft
	// remove to.txt.draft
	// close from.txt
	// fails: true
	// true
}
