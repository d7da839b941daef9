// Messages of any length over a stream: four bytes that say how long it is, then the message.
//
// Head and body lie in different memory; write_gathered() sends them with one system call, without
// copying them together, and nothing that another coroutine writes comes in between.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>

#include <weft/weft.hpp>

namespace {

void send(weft::UnixStream& stream, const std::string& body) {
  std::array<std::uint8_t, 4> head{};
  for (std::size_t i = 0; i < head.size(); ++i) {
    head[i] = static_cast<std::uint8_t>(body.size() >> (8 * i));
  }
  stream.write_gathered({head, body});
}

std::string receive(weft::UnixStream& stream) {
  std::array<std::uint8_t, 4> head{};
  stream.read_exactly(head);
  std::size_t size = 0;
  for (std::size_t i = 0; i < head.size(); ++i) size |= std::size_t{head[i]} << (8 * i);
  if (size > 1'000'000) throw std::runtime_error{"a message that long is none of ours"};
  std::string body(size, '\0');
  stream.read_exactly(body);
  return body;
}

}  // namespace

int main() {
  weft::run([] {
    auto both = weft::UnixStream::pair();
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] { send(both.first, "short"); });
      scope.spawn([&] { send(both.first, std::string(100'000, 'x')); });
    });
    std::cout << receive(both.second) << "\n";
    std::cout << receive(both.second).size() << " bytes\n";
  });
}

// Prints:
//   short
//   100000 bytes
