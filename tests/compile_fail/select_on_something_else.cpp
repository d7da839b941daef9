// Says: on() waits for an event, a coroutine or a future, and this is none

#include <chrono>

#include <weft/select.hpp>

void f() {
  weft::select(weft::on(5, [] {}));
}
