// A tour of weft in about three seconds.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <weft/testing.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

const bool is_terminal = ::isatty(STDOUT_FILENO) == 1 && std::getenv("TERM") != nullptr &&
                         std::string_view{std::getenv("TERM")} != "dumb";

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string in_seconds(double seconds) {
  std::array<char, 32> text{};
  const bool short_time = seconds < 0.1;
  std::snprintf(text.data(), text.size(), short_time ? "%.2f ms" : "%.2f s",
                short_time ? seconds * 1e3 : seconds);
  return text.data();
}

void headline(const char* text) {
  std::printf(is_terminal ? "\n\x1b[1m%s\x1b[0m\n" : "\n%s\n", text);
}

void row(const char* what, const std::string& value, const char* note = "") {
  std::printf("  %-48s %10s%s%s\n", what, value.c_str(), *note == 0 ? "" : "  ", note);
  std::fflush(stdout);
}

// Draws over itself on a terminal, and nothing elsewhere.
void progress(std::size_t done, std::size_t all) {
  if (!is_terminal) return;
  constexpr std::size_t width = 60;
  const std::string bar(done * width / all, '#');
  std::printf("\r  [%-*s] %s\x1b[K", static_cast<int>(width), bar.c_str(), grouped(done).c_str());
  if (done == all) std::printf("\r\x1b[K");
  std::fflush(stdout);
}

// A field with one character for each sleeper, which shows how far it has come.
class Field {
 public:
  static constexpr std::size_t columns = 75;
  static constexpr std::size_t lines = 4;
  static constexpr int stages = 4;

  void advance(std::size_t place) { ++stages_[place]; }
  void draw(bool again) const {
    if (!is_terminal) return;
    if (again) std::printf("\x1b[%zuA", lines);
    for (std::size_t line = 0; line < lines; ++line) {
      std::string text;
      for (std::size_t i = 0; i < columns; ++i) text += ".-=+#"[stages_[line * columns + i]];
      std::printf("  %s\n", text.c_str());
    }
    std::fflush(stdout);
  }

 private:
  std::array<std::uint8_t, columns * lines> stages_{};
};

void sleep_together() {
  constexpr std::size_t count = Field::columns * Field::lines;
  headline("Three hundred coroutines sleep four times each");
  Field field;
  field.draw(false);
  std::chrono::milliseconds slept{0};
  const Stopwatch watch;
  // Outside run(): the sleepers use it, and may outlive the frame that spawned them.
  std::mt19937 random{7};
  std::uniform_int_distribution<int> nap{20, 200};
  std::size_t asleep = count;
  weft::run([&] {
    for (std::size_t i = 0; i < count; ++i) {
      weft::spawn([&, i] {
        for (int stage = 0; stage < Field::stages; ++stage) {
          const std::chrono::milliseconds duration{nap(random)};
          weft::delay(duration);
          slept += duration;
          field.advance(i);
        }
        --asleep;
      });
    }
    while (asleep > 0) {
      weft::delay(40ms);
      field.draw(true);
    }
  });
  const weft::Stats stats = weft::stats();
  row("they slept, added up", in_seconds(std::chrono::duration<double>(slept).count()));
  row("it took", in_seconds(watch.seconds()), "one thread");
  row("stacks made for them", grouped(stats.contexts_created));
  row("polls that waited", grouped(stats.reactor_waits), "one libuv timer serves all sleepers");
}

// Switches made by `work`, each time it is called.
template <class F>
std::uint64_t switches_of(F work) {
  const std::uint64_t before = weft::stats().switches;
  work();
  return weft::stats().switches - before;
}

void count_switches() {
  headline("How many times does the stack change?");
  weft::run([] {
    constexpr std::uint64_t turns = 1'000;
    auto done = weft::spawn([] { return 42; });
    weft::await(done);
    row("await a coroutine that has ended", grouped(switches_of([&] { weft::await(done); })),
        "the fast path");
    row("yield when no other is ready", grouped(switches_of([] { weft::suspend(); })));
    row("run 1,000 short coroutines, one after the other", grouped(switches_of([] {
          for (std::uint64_t i = 1; i < turns; ++i) weft::spawn([] {});
          weft::await(weft::spawn([] {}));
        })),
        "there and back: they hand one stack on");
    auto partner = weft::spawn([] {
      for (std::uint64_t i = 0; i <= turns; ++i) weft::suspend();
    });
    weft::suspend();
    const std::uint64_t alternating = switches_of([] {
      for (std::uint64_t i = 0; i < turns; ++i) weft::suspend();
    });
    row("two take turns, per yield", grouped(alternating / (2 * turns)), "straight to the other");
    weft::await(partner);
    row("sleep when no other is ready", grouped(switches_of([] { weft::delay(1ms); })),
        "to the scheduler coroutine and back");
  });
}

class Resource {
 public:
  explicit Resource(std::size_t& open) : open_{open} { ++open_; }
  ~Resource() { --open_; }
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;

 private:
  std::size_t& open_;
};

void cancel_many() {
  headline("Cancelled coroutines clean up");
  constexpr std::size_t count = 500;
  std::size_t open = 0;
  const auto body = [&](weft::Scope& scope) {
    for (std::size_t i = 0; i < count; ++i) {
      scope.spawn([&] {
        const Resource resource{open};
        weft::delay(24h);
      });
    }
    weft::suspend();
    row("coroutines that sleep for a day, with a resource", grouped(open));
    const Stopwatch watch;
    scope.cancel("enough");
    weft::suspend();
    row("still open after cancel() and one turn", grouped(open));
    row("it took", in_seconds(watch.seconds()));
  };
  weft::run([&] { weft::with_scope(body); });
}

// Resident memory and page tables of this process in bytes.
std::uint64_t memory() {
  std::uint64_t kilobytes = 0;
  std::ifstream status{"/proc/self/status"};
  for (std::string key; status >> key; status.ignore(1'000, '\n')) {
    std::uint64_t value = 0;
    if ((key == "VmRSS:" || key == "VmPTE:") && status >> value) kilobytes += value;
  }
  return kilobytes * 1024;
}

const char* describe(weft::GuardKind guards) {
  switch (guards) {
    case weft::GuardKind::markers:
      return "a guard below each stack, without a map of its own";
    case weft::GuardKind::pages:
      return "a guard page below each stack";
    case weft::GuardKind::canary:
      return "too many for guards on this kernel: a canary word each";
    case weft::GuardKind::none:
      break;
  }
  return "";
}

void park_many() {
  headline("A hundred thousand parked coroutines, each with a stack of 64 KiB");
  weft::Options options;
  options.stack_size = std::size_t{64} * 1024;
  options.unguarded_stacks = true;  // on an old kernel rather than fail
  constexpr std::size_t count = 100'000;
  std::size_t parked = 0;
  const auto body = [&](weft::Scope& scope) {
    const std::uint64_t before = memory();
    const Stopwatch creation;
    for (std::size_t i = 0; i < count; ++i) {
      scope.spawn([&] {
        if (++parked % 2'500 == 0) progress(parked, count);
        weft::delay(24h);
      });
    }
    while (parked < count) weft::suspend();
    row("parked in", in_seconds(creation.seconds()));
    row("bytes of memory each", grouped((memory() - before) / count),
        "resident and page tables, from /proc");
    row("address space reserved, MiB", grouped(weft::stats().stack_bytes_reserved >> 20U),
        describe(weft::stats().guards));
    const Stopwatch end;
    scope.cancel();
    while (weft::stats().coroutines > 1) weft::suspend();
    row("all cancelled and gone in", in_seconds(end.seconds()));
  };
  weft::run([&] { weft::with_scope(body); }, options);
}

// Three customers, two tickets. A customer who reserves one and leaves before paying must give it
// back.
class Desk {
 public:
  explicit Desk(bool gives_back) : gives_back_{gives_back} {}

  void buy(bool is_near) {
    if (!is_near) weft::suspend();  // walk to the desk
    if (tickets_ == 0) return;
    --tickets_;
    try {
      weft::suspend();  // pay
    } catch (const weft::Cancelled&) {
      if (gives_back_) ++tickets_;
      throw;
    }
    ++sold_;
  }
  void check() const {
    if (tickets_ + sold_ != 2) throw std::runtime_error{"a ticket was lost"};
  }

 private:
  bool gives_back_;
  int tickets_ = 2;
  int sold_ = 0;
};

void sell_tickets(bool gives_back) {
  Desk desk{gives_back};
  weft::protect([&] {  // whatever happens, wait for the customers
    std::array<weft::Coroutine<void>, 3> customers;
    for (auto& customer : customers) {
      const bool is_near = &customer == &customers.front();
      customer = weft::spawn([&desk, is_near] { desk.buy(is_near); });
    }
    for (auto& customer : customers) {
      try {
        weft::await(customer);
      } catch (const weft::Cancelled&) {  // that one gave up
      }
    }
  });
  desk.check();
}

void explore_schedules() {
  headline("Three customers, two tickets: every order, with each cancelled anywhere");
  const weft::testing::ExploreOptions options{.cancel = weft::testing::every_point};
  if (is_terminal) std::fputs("  running them all ...\r", stdout);
  const Stopwatch watch;
  const auto report = weft::testing::explore([] { sell_tickets(true); }, options);
  row("schedules that are possible", grouped(report.schedules()), "all of them were run");
  row("failures", grouped(report.failures()));
  row("it took", in_seconds(watch.seconds()));
  if (!report.ok()) throw std::runtime_error{report.first_failure()};

  const auto broken = weft::testing::explore([] { sell_tickets(false); }, options);
  row("with a bug: failed in schedule", grouped(broken.schedules()),
      "a cancelled customer keeps the ticket");
  std::printf("  %-48s replay(\"%s\")\n", "the line that replays it", broken.replay_line().c_str());
  const Stopwatch year;
  weft::testing::run([] { weft::delay(365 * 24h); });
  row("a year on the virtual clock of a test took", in_seconds(year.seconds()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    const bool asked = std::string_view{argv[1]} == "--help" || std::string_view{argv[1]} == "-h";
    std::fputs(
        "usage: demo [--help]\n"
        "Shows what weft does: sleeping together, counting switches, cancelling, parking 100,000\n"
        "coroutines (about 500 MB for a moment), and exploring every schedule of a small "
        "program.\n",
        asked ? stdout : stderr);
    return asked ? 0 : 2;
  }
  try {
    const Stopwatch watch;
    sleep_together();
    count_switches();
    cancel_many();
    explore_schedules();
    park_many();
    std::printf("\nThat was all, in %s.\n", in_seconds(watch.seconds()).c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "demo: %s\n", error.what());
    return 1;
  }
}
