// A program at a fixed address that takes the address of a bridged function: it is that of a jump
// in the program, through a slot that is patched. If the bridge took it for the real function, the
// call would come back to the hook without end.
#include <cstdio>
#include <dlfcn.h>
#include <memory>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

int main() {
  int (*close)(FILE*) = &std::fclose;
  asm volatile("" : "+r"(close));  // otherwise it is called by its name
  if (::dlsym(RTLD_NEXT, "fclose") == reinterpret_cast<void*>(close)) {
    std::puts("the program is not at a fixed address");
    return 1;
  }
  weft::bridge::install();
  bool is_closed = false;
  weft::run([&] {
    FILE* const file = std::fopen("/dev/null", "r");
    is_closed = file != nullptr && close(file) == 0;
  });
  weft::bridge::uninstall();
  return is_closed ? 0 : 1;
}
