// Says: spawn(): the body needs an argument that was not given

#include <weft/scope.hpp>

void f(weft::Scope& scope) {
  scope.spawn([](int number) { return number; });
}
