// How the Go peers measure: as Google Benchmark does, with enough operations to fill the time asked
// for, and in CPU time of the process.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Prints what one operation of `body`, which does as many as it is told, costs.
func measure(name string, body func(operations int)) {
	runtime.GOMAXPROCS(1)
	wanted := 500 * time.Millisecond
	if len(os.Args) > 1 {
		seconds, err := strconv.ParseFloat(os.Args[1], 64)
		if err != nil {
			panic(err)
		}
		wanted = time.Duration(seconds * float64(time.Second))
	}
	body(1)
	for operations := 1; ; operations *= 2 {
		runtime.GC()
		before := cpuTime()
		body(operations)
		took := cpuTime() - before
		if took >= wanted {
			fmt.Printf("%s %.3f\n", name, float64(took.Nanoseconds())/float64(operations))
			return
		}
	}
}
