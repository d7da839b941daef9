// Runs one program, an example whose main() was renamed, again and again, each time in a process of
// its own and with one thing against it.
//
//   hostile_NAME [--rows all|surroundings|ROW] [--except ROW]... [--points N] [--at K] [--verbose]
//
// Allowed is that the program ends by itself, whatever its status, or with an exception. Not
// allowed: a signal (an abort, a crash), a hang, a runtime that leaves something behind.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "intruder.hpp"
#include "surroundings.hpp"
#include "weft/weft.hpp"

extern "C" int weft_example_main(int argc, char** argv);

namespace {

using namespace weft_hostile;

constexpr int leaked = 42;
constexpr unsigned seconds_to_live = 20;
constexpr std::size_t text_size = 512;

/// What the processes that run the program tell the one that started them.
struct Told {
  std::uint64_t suspensions = 0;
  std::uint64_t allocations = 0;
  char text[text_size] = {};
};
Told* told = nullptr;

// Counted, and one of them failed, while the program runs.
bool counts_allocations = false;
std::uint64_t allocations = 0;
std::uint64_t failing_allocation = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  if (counts_allocations && ++allocations == failing_allocation) throw std::bad_alloc{};
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                     : std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

struct Row {
  std::string name;
  Attack attack = Attack::none;
  void (*enter)() = nullptr;
  bool allocations = false;  // the points are allocations
};

std::vector<Row> all_rows() {
  std::vector<Row> rows{{.name = "shutdown", .attack = Attack::shutdown},
                        {.name = "deadlock", .attack = Attack::deadlock},
                        {.name = "cancel-main", .attack = Attack::cancel},
                        {.name = "error", .attack = Attack::error},
                        {.name = "fork", .attack = Attack::fork},
                        {.name = "no-memory", .allocations = true}};
  for (const Surroundings& surroundings : all_surroundings()) {
    rows.push_back({.name = std::string{surroundings.name}, .enter = surroundings.enter});
  }
  return rows;
}

void tell(const std::string& text) noexcept {
  std::strncpy(told->text, text.c_str(), text_size - 1);
}

/// What has to be back at zero. Coroutines that a shutdown left behind are reported by its error.
std::string leftovers() {
  const weft::Stats stats = weft::stats();
  std::string text;
  const auto check = [&](std::size_t count, const char* name) {
    if (count != 0) text += " " + std::to_string(count) + " " + name;
  };
  check(stats.coroutines, "coroutines");
  check(stats.queued, "queued");
  check(stats.active_events, "active events");
  check(stats.armed_timers, "armed timers");
  return text;
}

/// In the child: runs the program. The exit status says how it went.
[[noreturn]] void run_program(const Row& row, std::uint64_t point, bool verbose) {
  ::alarm(seconds_to_live);
  if (!verbose) {
    const int null = ::open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor < 3; ++descriptor) ::dup2(null, descriptor);
    if (null > 2) ::close(null);
  }
  Intruder intruder{row.attack, point};
  if (row.enter == nullptr) let_in(intruder);
  if (row.enter != nullptr) row.enter();
  char name[] = "example";
  char* arguments[] = {name, nullptr};
  std::string result = "returned";
  bool behind = false;
  failing_allocation = row.allocations ? point : 0;
  counts_allocations = true;
  try {
    weft_example_main(1, arguments);
  } catch (const weft::ShutdownError& error) {
    behind = true;
    result = error.what();
  } catch (const std::exception& error) {
    result = error.what();
  } catch (const weft::Cancelled& cancelled) {
    result = cancelled.reason();
  } catch (...) {
    result = "an exception of an unknown type";
  }
  counts_allocations = false;
  told->allocations = allocations;
  told->suspensions = intruder.suspensions();
  const std::string left = behind ? std::string{} : leftovers();
  tell(left.empty() ? result : "left behind:" + left);
  std::_Exit(left.empty() ? 0 : leaked);
}

/// What became of one run, in words; empty if that is allowed.
std::string verdict(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGALRM) return "it hangs";
    return std::string{"it was ended by "} + ::strsignal(number);
  }
  switch (WEXITSTATUS(status)) {
    case leaked:
      return told->text;
    case 5:
      return "the child of its fork went wrong";
    case 6:
      return "the surroundings could not be made";
    default:
      return {};
  }
}

std::string run_once(const Row& row, std::uint64_t point, bool verbose) {
  *told = Told{};
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) run_program(row, point, verbose);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return verdict(status);
}

/// `most` of the numbers from 1 to `last`, the first and the last among them; all, if `most` is 0.
std::vector<std::uint64_t> spread(std::uint64_t last, std::uint64_t most) {
  std::vector<std::uint64_t> points;
  const std::uint64_t count = most == 0 ? last : std::min(last, most);
  for (std::uint64_t i = 0; i < count; ++i) {
    points.push_back(count == 1 ? 1 : 1 + i * (last - 1) / (count - 1));
  }
  return points;
}

struct Arguments {
  std::string rows = "all";
  std::vector<std::string> except;
  std::uint64_t points = 0;
  std::uint64_t at = 0;
  bool verbose = false;
};

Arguments parse(int argc, char** argv) {
  Arguments given;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const auto value = [&]() -> const char* {
      if (++i < argc) return argv[i];
      std::fprintf(stderr, "%s needs a value\n", argv[i - 1]);
      std::exit(2);
    };
    if (option == "--rows") {
      given.rows = value();
    } else if (option == "--except") {
      given.except.emplace_back(value());
    } else if (option == "--points") {
      given.points = std::strtoull(value(), nullptr, 10);
    } else if (option == "--at") {
      given.at = std::strtoull(value(), nullptr, 10);
    } else if (option == "--verbose") {
      given.verbose = true;
    } else {
      std::printf(
          "usage: %s [--rows all|surroundings|ROW] [--except ROW]... [--points N] [--at K] "
          "[--verbose]\n",
          argv[0]);
      std::exit(option == "--help" ? 0 : 2);
    }
  }
  return given;
}

/// How many points the rows of this kind have, from an undisturbed run.
std::uint64_t count_points(const Row& row) {
  const std::string wrong = run_once({.name = "count"}, 0, false);
  if (!wrong.empty()) {
    std::printf("FAILED undisturbed: %s\n", wrong.c_str());
    std::exit(1);
  }
  return row.allocations ? told->allocations : told->suspensions;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, 0); }
void* operator new[](std::size_t size) { return allocate(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*a*/) noexcept {
  std::free(memory);
}

int main(int argc, char** argv) {
  const Arguments given = parse(argc, argv);
  void* const shared =
      ::mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  told = new (shared) Told{};
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  for (const Row& row : all_rows()) {
    const bool chosen = given.rows == "all" || given.rows == row.name ||
                        (given.rows == "surroundings" && row.enter != nullptr);
    const bool left_out =
        std::find(given.except.begin(), given.except.end(), row.name) != given.except.end();
    if (!chosen || left_out) continue;
    std::vector<std::uint64_t> points{0};
    if (given.at != 0) {
      points = {given.at};
    } else if (row.enter == nullptr) {
      points = spread(count_points(row), given.points);
    }
    for (const std::uint64_t point : points) {
      const std::string wrong = run_once(row, point, given.verbose);
      if (given.verbose)
        std::printf("%s %llu: %s\n", row.name.c_str(), static_cast<unsigned long long>(point),
                    told->text);
      if (wrong.empty()) {
        ++passed;
        continue;
      }
      ++failed;
      std::printf("FAILED --rows %s --at %llu: %s\n", row.name.c_str(),
                  static_cast<unsigned long long>(point), wrong.c_str());
    }
  }
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(passed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}
