// The hot paths of the bridge whose instructions are counted: `bridge_gate PATH N` runs PATH N
// times.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/socket.h>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

namespace {

/// Two ends that block, one of which has `n` bytes to read.
class Sockets {
 public:
  explicit Sockets(long n) {
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, both_) != 0) std::exit(1);
    const std::string data(static_cast<std::size_t>(n), 'x');
    if (::send(both_[1], data.data(), data.size(), 0) != n) std::exit(1);
  }
  void receive(long n) const {
    char byte = 0;
    for (long i = 0; i < n; ++i) {
      if (::recv(both_[0], &byte, 1, 0) != 1) std::exit(1);
    }
  }

 private:
  int both_[2] = {-1, -1};  // open until the program ends
};

void real_recv(long n) { Sockets{n}.receive(n); }

void recv_outside(long n) {
  weft::bridge::install();
  Sockets{n}.receive(n);
}

void recv_ready(long n) {
  weft::bridge::install();
  weft::Options options;
  // Polls would depend on the speed of the machine.
  options.reactor_every = std::chrono::hours{1};
  weft::run([&] { Sockets{n}.receive(n); }, options);
}

struct Path {
  std::string_view name;
  void (*walk)(long);
};
constexpr Path paths[] = {
    {"real_recv", real_recv},
    {"recv_outside", recv_outside},
    {"recv_ready", recv_ready},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc == 3 ? argv[1] : "";
  const long n = argc == 3 ? std::atol(argv[2]) : 0;
  for (const Path& path : paths) {
    if (path.name == name) {
      path.walk(n);
      return 0;
    }
  }
  std::fprintf(stderr, "usage: bridge_gate PATH N, where PATH is one of\n");
  for (const Path& path : paths) std::fprintf(stderr, "  %s\n", path.name.data());
  return 2;
}
