// Says: run() calls its body without arguments

#include <weft/runtime.hpp>

int main() {
  weft::run([](int number) { return number; });
}
