/* A program in C that uses an installed weft, linked by the C compiler. */
#include <stdio.h>

#include <weft/c/weft.h>

static int greet(void* data, void** result) {
  *result = data;
  return weft_delay(1);
}

static int main_of(void* data, void** result) {
  (void)data;
  weft_coroutine* greeter = NULL;
  int code = weft_spawn(&greeter, greet, "in C\n");
  if (code == WEFT_OK) code = weft_await(greeter, result);
  weft_release(greeter);
  return code;
}

int main(void) {
  void* text = "";
  if (weft_run(main_of, NULL, &text) != WEFT_OK) return 1;
  fputs(text, stdout);
  return text == NULL;
}
