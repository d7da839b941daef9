// Says: spawn(): the body cannot be called with these arguments

#include <string>

#include <weft/coroutine.hpp>

void f() {
  weft::spawn([](const std::string& text) { return text; }, 5);
}
