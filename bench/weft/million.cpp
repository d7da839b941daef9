// Claim: 1,000,000 parked coroutines on guarded stacks of 64 KiB take at most 4,700 bytes each
// (resident memory and page tables), are created in less than 6 s, and are all cancelled and gone
// in less than 10 s.
//
// Usage: bench_weft_million [count] [delay | trigger]
// Parks `count` coroutines, each in a delay of an hour or all on one trigger that is never fired.
// Prints "key value" lines. Seconds are process CPU time, those called wall are not.
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class Stopwatch {
 public:
  [[nodiscard]] double cpu() const { return cpu_seconds() - cpu_; }
  [[nodiscard]] double wall() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
  }

 private:
  double cpu_ = cpu_seconds();
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
};

struct Memory {
  double resident = 0;
  double page_tables = 0;
};

// In bytes. /proc/self/status says "VmRSS:    1234 kB".
Memory memory() {
  Memory found;
  std::ifstream status{"/proc/self/status"};
  for (std::string key; status >> key;) {
    if (key == "VmRSS:") {
      status >> found.resident;
    } else if (key == "VmPTE:") {
      status >> found.page_tables;
    }
    status.ignore(1000, '\n');
  }
  return {found.resident * 1024, found.page_tables * 1024};
}

void print(const char* key, double value) { std::printf("%s %.6g\n", key, value); }

struct Counts {
  std::size_t parking = 0;
  std::size_t gone = 0;
};

// Counts normal returns and unwinding, so that a coroutine cancelled while parked is counted.
class Presence {
 public:
  explicit Presence(Counts& counts) : counts_{counts} { ++counts_.parking; }
  ~Presence() { ++counts_.gone; }
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

 private:
  Counts& counts_;
};

using Handles = std::vector<weft::Coroutine<void>>;

template <typename Park>
Handles spawn_all(std::size_t count, Counts& counts, const Park& park) {
  constexpr weft::SpawnOptions options{.stack_size = std::size_t{64} * 1024};
  Handles handles;
  handles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    handles.push_back(weft::spawn(options, [&counts, &park] {
      const Presence presence{counts};
      park();
    }));
  }
  return handles;
}

// Yields until the condition holds; false if it does not after many yields.
template <typename Condition>
bool yield_until(const Condition& condition) {
  for (int turn = 0; turn < 1000 && !condition(); ++turn) weft::suspend();
  return condition();
}

void cancel_all(Handles& handles, const Counts& counts, std::size_t coroutines_before) {
  for (auto& handle : handles) handle.cancel();
  handles.clear();
  const bool gone = yield_until([&] {
    return counts.gone == counts.parking && weft::stats().coroutines <= coroutines_before;
  });
  if (!gone) throw std::runtime_error{"some cancelled coroutines have not ended"};
}

// Without guards, or with canaries only, the figures would not support the claim.
void require_guards() {
  const weft::GuardKind guards = weft::stats().guards;
  if (guards != weft::GuardKind::markers && guards != weft::GuardKind::pages) {
    throw std::runtime_error{"the stacks have no guards, so this does not measure the claim"};
  }
}

template <typename Park>
void measure(std::size_t count, const Park& park) {
  const std::size_t coroutines_before = weft::stats().coroutines;
  const Memory before = memory();
  Counts counts;

  const Stopwatch creation;
  Handles handles = spawn_all(count, counts, park);
  const bool all_parked = yield_until([&] { return counts.parking == count; });
  print("create_seconds", creation.cpu());
  print("create_wall_seconds", creation.wall());

  const Memory parked = memory();
  const auto each = [count](double after, double earlier) {
    return (after - earlier) / static_cast<double>(count);
  };
  const double resident = each(parked.resident, before.resident);
  const double page_tables = each(parked.page_tables, before.page_tables);
  print("resident_bytes_each", resident);
  print("page_table_bytes_each", page_tables);
  print("bytes_each", resident + page_tables);

  const Stopwatch cancellation;
  cancel_all(handles, counts, coroutines_before);
  print("cancel_seconds", cancellation.cpu());
  print("cancel_wall_seconds", cancellation.wall());

  // Thrown only now, because parked coroutines refer to this frame.
  if (!all_parked) throw std::runtime_error{"not every coroutine could be started"};
  require_guards();
}

int usage() {
  std::fputs("usage: bench_weft_million [count] [delay | trigger]\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 1'000'000;
  std::string_view variant = "delay";
  if (argc > 3) return usage();
  if (argc > 1) {
    const std::string_view text = argv[1];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count == 0) return usage();
  }
  if (argc > 2) variant = argv[2];
  if (variant != "delay" && variant != "trigger") return usage();

  print("count", static_cast<double>(count));
  const Stopwatch whole;
  try {
    weft::run([&] {
      if (variant == "delay") {
        measure(count, [] { weft::delay(1h); });
      } else {
        weft::Trigger never;
        measure(count, [&never] { weft::await(never); });
      }
    });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_weft_million: %s\n", error.what());
    return 1;
  }
  print("whole_run_seconds", whole.cpu());
}
