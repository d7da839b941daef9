// A chat room: what one says is sent to all.
//
// Each member has two coroutines: one reads from the member, the other writes to it what comes out
// of its channel. Sending to a member never waits: one that does not read until its channel is full
// is removed, by cancelling its coroutine, and delays no other.

#include <chrono>
#include <csignal>
#include <iostream>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

class Member;
using Room = std::list<Member*>;

/// A member of the room while it lives.
class Member {
 public:
  Member(Room& room, std::string name) : room_{room}, name_{std::move(name)} {
    room_.push_back(this);
    send_to_all(name_ + " has come");
  }
  ~Member() {
    room_.remove(this);
    send_to_all(name_ + " has gone");
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  void say(const std::string& text) { send_to_all(name_ + ": " + text); }
  weft::Channel<std::string>& messages() { return messages_; }

 private:
  void send_to_all(const std::string& line) {
    for (Member* member : room_) {
      if (!member->messages_.try_send(line)) member->coroutine_.cancel("too slow");
    }
  }

  Room& room_;
  std::string name_;
  weft::Channel<std::string> messages_{16};
  weft::AnyCoroutine coroutine_ = weft::current();
};

void chat(weft::TcpStream stream, Room& room) {
  const std::optional<std::string> name = stream.read_line(weft::timeout(10s));
  if (!name) return;
  Member member{room, *name};
  weft::with_scope([&](weft::Scope& scope) {
    auto writer = scope.spawn([&] {
      for (std::string line : member.messages()) stream.write_all(line + "\n");
    });
    while (const std::optional<std::string> text = stream.read_line()) member.say(*text);
    writer.cancel();
  });
}

class Client {
 public:
  Client(std::uint16_t port, const std::string& name)
      : stream_{weft::TcpStream::connect("127.0.0.1", port, weft::timeout(10s))} {
    say(name);
    while (read_line() != name + " has come") {
    }
  }
  void say(const std::string& text) { stream_.write_all(text + "\n", weft::timeout(10s)); }
  std::string read_line() { return stream_.read_line(weft::timeout(10s)).value(); }
  void leave() {
    stream_.shutdown_write();
    stream_.read_all(weft::timeout(10s));
  }

 private:
  weft::TcpStream stream_;
};

void evening(std::uint16_t port) {
  Client ann{port, "ann"};
  Client ben{port, "ben"};
  Client dot{port, "dot"};  // reads that she has come, and then reads no more
  ann.say("hello");
  std::cout << ben.read_line() << "\n" << ben.read_line() << "\n";

  const std::string gossip(100'000, '.');
  std::string last;
  while (last != "dot has gone") {
    ann.say(gossip);
    ann.read_line();
    last = ben.read_line();
  }
  std::cout << last << "\n";

  ann.leave();
  while (last != "ann has gone") last = ben.read_line();
  std::cout << last << "\n";
  ben.leave();
}

void open_the_room() {
  Room room;
  weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
  auto clients = weft::spawn([&] { evening(listener.port()); });
  weft::serve(listener, [&](weft::TcpStream stream) { chat(std::move(stream), room); },
              {.stop = clients});
  weft::await(clients);
}

}  // namespace

int main() { weft::run(open_the_room, {.shutdown_signals = {SIGINT, SIGTERM}}); }

// Prints:
//   dot has come
//   ann: hello
//   dot has gone
//   ann has gone
