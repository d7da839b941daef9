// Says: spawn(): the body or an argument cannot be copied: give it with std::move()

#include <memory>

#include <weft/coroutine.hpp>

void f() {
  auto body = [owned = std::make_unique<int>(5)] { return *owned; };
  weft::spawn(body);
}
