#include "chaos_gate.hpp"

#include <algorithm>
#include <sys/socket.h>
#include <system_error>
#include <utility>

namespace weft_test {
namespace {

using namespace std::chrono_literals;

/// Closes the connection with a reset.
void abort(weft::TcpStream& stream) {
  const linger at_once{1, 0};
  ::setsockopt(stream.descriptor(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  stream.close();
}

/// Reads until the end and discards the bytes.
void throw_away(weft::TcpStream& from) {
  std::array<std::byte, 4096> rest{};
  while (from.read_some(rest) != 0) {
  }
}

ChaosWay make_way(Random& random, std::size_t bytes, bool may_end) {
  ChaosWay way;
  way.seed = random.next();
  if (random.one_in(2)) {
    way.slices = random.size(60);
    way.slice = random.size(200);
  }
  way.concatenates = random.one_in(4);
  if (random.one_in(2)) {
    way.delays = random.size(8);
    way.delay = random.time(2ms);
  }
  if (random.one_in(4)) way.bytes_per_ms = bytes / random.size(20) + 1;
  if (may_end && random.one_in(2)) {
    way.end = static_cast<ChaosEnd>(1 + random.below(chaos_ends - 1));
    way.end_after = random.below(bytes + 1);
  }
  return way;
}

std::string describe_way(const char* name, const ChaosWay& way) {
  std::string text = std::string{name} + ":";
  if (way.slices > 0) {
    text += " " + std::to_string(way.slices) + " slices of " + std::to_string(way.slice);
  }
  if (way.concatenates) text += " concatenated";
  if (way.delays > 0) text += " " + std::to_string(way.delays) + " delays";
  if (way.bytes_per_ms != ChaosWay{}.bytes_per_ms) {
    text += " " + std::to_string(way.bytes_per_ms) + " bytes/ms";
  }
  if (way.end != ChaosEnd::none) {
    text += std::string{" "} + name_of(way.end) + " after " + std::to_string(way.end_after);
  }
  return text;
}

}  // namespace

std::uint64_t Random::next() noexcept {  // splitmix64
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::size_t Random::size(std::size_t most) noexcept {
  std::size_t bits = 0;
  while (bits < 63 && (most >> bits) != 0) ++bits;
  return 1 + below(std::min(most, std::size_t{1} << below(bits + 1)));
}

weft::Duration Random::time(weft::Duration most) noexcept {
  return weft::Duration{static_cast<weft::Duration::rep>(
      1 + below(static_cast<std::size_t>(std::max<weft::Duration::rep>(most.count(), 1))))};
}

const char* name_of(ChaosEnd end) noexcept {
  static constexpr std::array<const char*, chaos_ends> names{"none", "drop", "reset", "half close",
                                                             "never read"};
  return names[static_cast<std::size_t>(end)];
}

ChaosPlan ChaosPlan::of(std::uint64_t seed, std::size_t bytes) {
  Random random{seed};
  const bool harmless = random.one_in(3);
  ChaosPlan plan;
  plan.up = make_way(random, bytes, !harmless);
  plan.down = make_way(random, bytes, !harmless);
  return plan;
}

std::string ChaosPlan::describe() const {
  return describe_way("up", up) + "; " + describe_way("down", down);
}

struct ChaosGate::Link {
  weft::TcpStream client;
  weft::TcpStream server;
};

void ChaosGate::run() {
  weft::with_scope([&](weft::Scope& scope) {
    for (;;) {
      scope.spawn([this, accepted = listener_.accept()]() mutable {
        try {
          Link link{std::move(accepted), weft::TcpStream::connect(target_)};
          link.client.no_delay();
          link.server.no_delay();
          weft::with_scope([&](weft::Scope& both) {
            both.spawn([&] { pass(link, true); });
            both.spawn([&] { pass(link, false); });
          });
        } catch (const std::system_error&) {  // one side is closed: the other is closed too
        }
      });
    }
  });
}

/// Passes the bytes of one direction on, until its end. Throws when the connection is over.
void ChaosGate::pass(Link& link, bool up) const {
  weft::TcpStream& from = up ? link.client : link.server;
  weft::TcpStream& to = up ? link.server : link.client;
  const ChaosWay& way = up ? plan_.up : plan_.down;
  Random random{way.seed};
  std::size_t slices = way.slices;
  std::size_t delays = way.delays;
  std::size_t passed = 0;
  std::array<char, 16 * 1024> buffer{};
  for (;;) {
    if (way.end != ChaosEnd::none && passed >= way.end_after) break;
    std::size_t most = buffer.size();
    if (slices > 0) {
      --slices;
      most = 1 + random.below(way.slice);
    }
    if (way.end != ChaosEnd::none) most = std::min(most, way.end_after - passed);
    std::size_t size = from.read_some(weft::Bytes{buffer.data(), most});
    const bool over = size == 0;
    while (way.concatenates && !over && size < most && random.one_in(2)) {
      try {
        size += from.read_some(weft::Bytes{buffer.data() + size, most - size}, weft::timeout(1ms));
      } catch (const weft::TimedOut&) {
        break;
      }
    }
    if (delays > 0 && random.one_in(2)) {
      --delays;
      weft::delay(random.time(way.delay));
    }
    if (size / way.bytes_per_ms > 0) weft::delay(1ms * (size / way.bytes_per_ms));
    if (over) return to.shutdown_write();
    to.write_all(weft::ConstBytes{buffer.data(), size});
    passed += size;
  }
  switch (way.end) {
    case ChaosEnd::none:
      return;
    case ChaosEnd::drop:
      from.close();
      return to.close();
    case ChaosEnd::reset:
      abort(from);
      return abort(to);
    case ChaosEnd::half_close:
      to.shutdown_write();
      return throw_away(from);
    case ChaosEnd::never_read:
      return weft::delay(1h);
  }
}

}  // namespace weft_test
