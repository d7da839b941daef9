// Says: Future::map() calls its function with the value of the future

#include <string>

#include <weft/future.hpp>

void f(const weft::Future<int>& future) {
  static_cast<void>(future.map([](const std::string& text) { return text; }));
}
