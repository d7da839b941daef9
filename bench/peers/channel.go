// Peer: Go with one processor. The same traffic as weft/channel.cpp: a value to and fro through two
// unbuffered channels, through a buffer of 128, and a select of two ready channels with a send.
// Usage: channel [seconds]. Prints "name nanoseconds": CPU time of the process per operation.
package main

func channelPingPong(operations int) {
	there := make(chan int)
	back := make(chan int)
	ended := make(chan bool)
	go func() {
		for value := range there {
			back <- value
		}
		ended <- true
	}()
	for i := 0; i < operations; i++ {
		there <- 1
		<-back
	}
	close(there)
	<-ended
}

func channelBuffered(operations int) {
	channel := make(chan int, 128)
	ended := make(chan bool)
	go func() {
		for range channel {
		}
		ended <- true
	}()
	for i := 0; i < operations; i++ {
		channel <- 1
	}
	close(channel)
	<-ended
}

func selectTwoReady(operations int) {
	first := make(chan int, 1)
	second := make(chan int, 1)
	first <- 1
	second <- 1
	for i := 0; i < operations; i++ {
		// What was taken is put back, so that both are ready next time.
		select {
		case value := <-first:
			first <- value
		case value := <-second:
			second <- value
		}
	}
}

func main() {
	measure("channel_ping_pong", channelPingPong)
	measure("channel_buffered", channelBuffered)
	measure("select_two_ready", selectTwoReady)
}
