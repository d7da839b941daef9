#include <unistd.h>

// An object with a relocation in its code, which is not writable, and with one at an odd address.
asm(R"(
  .text
  .balign 8
in_the_code: .8byte poll
  .data
  .balign 8
  .byte 0
at_an_odd_address: .8byte poll
  .previous
)");

extern "C" int text_usleep(useconds_t time) { return ::usleep(time); }
