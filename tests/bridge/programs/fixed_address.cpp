// A program at a fixed address that takes the addresses of bridged functions: they are those of
// jumps in the program, through slots. If the bridge took one for the real function, or patched the
// slot, its own calls, and those of weft, would come back to the hook without end.
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

namespace {

/// What the compiler cannot know, so it is not called by its name.
template <class F>
F* unknown(F* function) {
  asm volatile("" : "+r"(function));
  return function;
}

int expect(bool is_so, const char* what) {
  if (!is_so) std::printf("not so: %s\n", what);
  return is_so ? 0 : 1;
}

}  // namespace

int main() {
  int (*const close_stream)(FILE*) = unknown(&std::fclose);
  int (*const close_number)(int) = unknown(&::close);
  pid_t (*const fork_it)() = unknown(&::fork);
  if (::dlsym(RTLD_NEXT, "fclose") == reinterpret_cast<void*>(close_stream)) {
    std::puts("the program is not at a fixed address");
    return 1;
  }
  int failed = 0;
  const auto ends_with = [](pid_t child, int code) {
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WEXITSTATUS(status) == code;
  };
  weft::bridge::install();
  weft::run([&] {
    FILE* const file = std::fopen("/dev/null", "r");
    failed += expect(file != nullptr && close_stream(file) == 0, "fclose");
    const int number = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    failed += expect(number >= 0 && close_number(number) == 0, "close");
    failed += expect(::close(number) == -1, "close again");
    const pid_t child = weft::fork();
    if (child == 0) ::_exit(7);
    failed += expect(ends_with(child, 7), "weft::fork");
    const pid_t other = fork_it();
    if (other == 0) ::_exit(8);
    failed += expect(ends_with(other, 8), "fork");
  });
  weft::bridge::uninstall();
  return failed;
}
