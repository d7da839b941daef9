// Peer: an echo server on Go's net with one processor; one goroutine per connection.
// Prints "port <number>" and serves 127.0.0.1 until it is killed.
package main

import (
	"fmt"
	"net"
	"runtime"
)

func echo(connection net.Conn) {
	defer connection.Close()
	buffer := make([]byte, 16*1024)
	for {
		size, err := connection.Read(buffer)
		if err != nil {
			return
		}
		if _, err = connection.Write(buffer[:size]); err != nil {
			return
		}
	}
}

func main() {
	runtime.GOMAXPROCS(1)
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("port %d\n", listener.Addr().(*net.TCPAddr).Port)
	for {
		connection, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		go echo(connection)
	}
}
