// The program of weft.cpp in Go.

package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

type shop struct {
	name  string
	takes time.Duration
	price int // 0: closed
}

type answer struct {
	price int
	err   error
}

func ask(ctx context.Context, s shop) (int, error) {
	select {
	case <-time.After(s.takes): // as if over the network
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if s.price == 0 {
		return 0, errors.New("closed")
	}
	return s.price, nil
}

func main() {
	shops := []shop{{"north", 20 * time.Millisecond, 30}, {"south", 10 * time.Millisecond, 20},
		{"east", time.Second, 10}, {"west", 10 * time.Millisecond, 0}}
	answers := make([]chan answer, len(shops))
	for i, s := range shops {
		answers[i] = make(chan answer, 1)
		go func(s shop, to chan<- answer) {
			ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
			defer cancel()
			price, err := ask(ctx, s)
			to <- answer{price, err}
		}(s, answers[i])
	}

	cheapest := -1
	for i, s := range shops {
		fmt.Printf("%s: ", s.name)
		got := <-answers[i]
		switch {
		case errors.Is(got.err, context.DeadlineExceeded):
			fmt.Println("no answer in time")
		case got.err != nil:
			fmt.Println(got.err)
		default:
			fmt.Println(got.price)
			if cheapest < 0 || got.price < cheapest {
				cheapest = got.price
			}
		}
	}
	fmt.Println("cheapest:", cheapest)
}
