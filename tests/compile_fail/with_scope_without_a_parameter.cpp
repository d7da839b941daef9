// Says: with_scope() calls its body with the new scope

#include <weft/with_scope.hpp>

void f() {
  weft::with_scope([] {});
}
