// Peer: Go with one processor. A WaitGroup of 1000 empty goroutines; compare with
// weft/task_group.cpp. The time of one operation is for all 1000.
// Usage: task_group [seconds]. Prints "name nanoseconds": CPU time of the process per operation.
package main

import "sync"

const tasks = 1000

func waitGroup(operations int) {
	for i := 0; i < operations; i++ {
		var group sync.WaitGroup
		group.Add(tasks)
		for j := 0; j < tasks; j++ {
			go func() { group.Done() }()
		}
		group.Wait()
	}
}

func main() {
	measure("wait_group", waitGroup)
}
