// Says: await() waits for an event, a coroutine or a future, and this is none

#include <weft/await.hpp>

void f() {
  const int value = weft::await([] { return 5; });
  static_cast<void>(value);
}
