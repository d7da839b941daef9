// Peer: an HTTP server on Go's net/http with one processor.
// Prints "port <number>" and serves 127.0.0.1 until it is killed.
package main

import (
	"fmt"
	"net"
	"net/http"
	"runtime"
)

var hello = []byte("hello")

func main() {
	runtime.GOMAXPROCS(1)
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("port %d\n", listener.Addr().(*net.TCPAddr).Port)
	handler := func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", "text/plain; charset=utf-8")
		response.Write(hello)
	}
	panic(http.Serve(listener, http.HandlerFunc(handler)))
}
