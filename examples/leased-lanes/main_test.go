package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

func Example() {
	dir, err := os.MkdirTemp("", "rooms-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for range 2 { // one process after the other
		if _, err := serve(dir, time.Millisecond, false, []string{"kitchen"}).Scoped().Run(context.Background()); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// kitchen: a turn begins
	// kitchen: the turn is over
	// kitchen: a turn begins
	// kitchen: the turn is over
}
