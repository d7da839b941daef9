// Says: on() calls its function without arguments, or with the value of the

#include <string>

#include <weft/select.hpp>

void f(weft::Coroutine<int> coroutine) {
  weft::select(weft::on(coroutine, [](const std::string&) {}));
}
