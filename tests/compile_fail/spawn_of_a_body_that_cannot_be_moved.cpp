// Says: spawn(): the body or an argument can be neither copied nor moved

#include <atomic>
#include <utility>

#include <weft/coroutine.hpp>

struct Body {
  std::atomic<int> count = 0;
  void operator()() { ++count; }
};

void f() {
  Body body;
  weft::spawn(std::move(body));
}
