// The hot paths whose instructions are counted: `gate PATH N` walks PATH N times.

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <weft/weft.hpp>

namespace {

void yield(long n) {
  const auto yields = [n] {
    for (long i = 0; i < n / 2; ++i) weft::suspend();
  };
  auto other = weft::spawn(yields);
  yields();
  weft::await(other);
}

void spawn_and_await(long n) {
  for (long i = 0; i < n; ++i) weft::await(weft::spawn([] {}));
}

void round_trip(long n) {
  weft::Channel<long> there;
  weft::Channel<long> back;
  auto other = weft::spawn([&] {
    for (long i = 0; i < n; ++i) back.send(there.recv());
  });
  for (long i = 0; i < n; ++i) {
    there.send(i);
    back.recv();
  }
  weft::await(other);
}

void buffered(long n) {
  weft::Channel<long> channel{16};
  auto other = weft::spawn([&] {
    for (long i = 0; i < n; ++i) channel.send(i);
  });
  for (long i = 0; i < n; ++i) channel.recv();
  weft::await(other);
}

void lock_and_unlock(long n) {
  weft::Mutex mutex;
  for (long i = 0; i < n; ++i) {
    mutex.lock();
    mutex.unlock();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view path = argc == 3 ? argv[1] : "";
  const long n = argc == 3 ? std::atol(argv[2]) : 0;
  void (*walk)(long) = nullptr;
  if (path == "yield") walk = yield;
  if (path == "spawn_and_await") walk = spawn_and_await;
  if (path == "round_trip") walk = round_trip;
  if (path == "buffered") walk = buffered;
  if (path == "lock_and_unlock") walk = lock_and_unlock;
  if (walk == nullptr) {
    std::fprintf(stderr,
                 "usage: gate yield|spawn_and_await|round_trip|buffered|lock_and_unlock N\n");
    return 2;
  }
  weft::run([&] { walk(n); });
}
