// A connection that another thread takes over.
//
// A stream belongs to the runtime whose coroutines use it; its descriptor may go anywhere. Bytes
// that were read ahead go with it.

#include <iostream>
#include <string>

#include <weft/weft.hpp>

namespace {

void read_the_rest(int descriptor, const std::string& ahead) {
  weft::UnixStream stream = weft::UnixStream::adopt(descriptor, ahead);
  std::cout << "the rest: " << stream.read_all() << "\n";
}

}  // namespace

int main() {
  weft::run([] {
    auto [stream, peer] = weft::UnixStream::pair();
    peer.write_all("the head\nthe body");

    const std::string head = stream.read_line().value_or("");
    const std::string ahead = stream.take_read_ahead();  // what came together with the head
    const int descriptor = stream.give_away();
    std::cout << head << "\n";

    peer.write_all(" and its end");
    peer.close();
    weft::await(weft::Thread::start([=] { read_the_rest(descriptor, ahead); }));
  });
}

// Prints:
//   the head
//   the rest: the body and its end
