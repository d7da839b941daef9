// An echo server on a path of the file system, and its clients.
//
// A unix socket is a stream like any other; who may connect is a matter of the permissions of its
// path. The server stops when an event happens: here, when the coroutine of the clients has ended.

#include <array>
#include <chrono>
#include <csignal>
#include <iostream>
#include <span>
#include <string>
#include <system_error>

#include "temporary_directory.hpp"
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

void echo(weft::UnixStream stream) {
  std::array<std::byte, 4096> buffer;
  while (std::size_t n = stream.read_some(buffer)) stream.write_all(std::span{buffer}.first(n));
}

std::string ask(const std::string& path, const std::string& question) {
  weft::UnixStream peer = weft::UnixStream::connect(path, weft::timeout(10s));
  peer.write_all(question);
  peer.shutdown_write();  // our side ends; the answer still comes
  return peer.read_all(weft::timeout(10s));
}

void serve_clients(const std::string& path) {
  weft::Listener listener = weft::Listener::unix_path(path);
  auto clients = weft::spawn([&] {
    const auto [one, two] =
        weft::await_all([&] { return ask(path, "one"); }, [&] { return ask(path, "two"); });
    std::cout << one << " " << two << "\n";
  });
  weft::serve(listener, echo, {.stop = clients});
  weft::await(clients);
}

void show_unix_sockets(const std::string& path) {
  serve_clients(path);
  try {
    ask(path, "three");
  } catch (const std::system_error& error) {  // the path went with its listener
    std::cout << "no listener: " << error.code().message() << "\n";
  }

  auto [left, right] = weft::UnixStream::pair();  // two ends without a path
  left.write_all("from the left\n");
  std::cout << right.read_line().value_or("nothing") << "\n";
}

}  // namespace

int main() {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/socket";
  weft::run([&] { show_unix_sockets(path); }, {.shutdown_signals = {SIGINT, SIGTERM}});
}

// Prints:
//   one two
//   no listener: No such file or directory
//   from the left
