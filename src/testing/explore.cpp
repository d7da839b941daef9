#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "base/current.hpp"
#include "base/slab.hpp"
#include "context/sanitizer.hpp"
#include "context/spare_stacks.hpp"
#include "testing/choices.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"
#include "weft/testing.hpp"

namespace weft::testing {
namespace {

template <std::size_t size>
void keep(char (&to)[size], const std::string& text) noexcept {
  std::snprintf(to, sizeof to, "%s", text.c_str());
}

/// The counters that did not return to zero, as text; empty if all did.
std::string leftovers(const Stats& stats) {
  std::string text;
  const auto check = [&](const char* name, std::size_t value) {
    if (value != 0)
      text += std::string{text.empty() ? "" : ", "} + name + "=" + std::to_string(value);
  };
  check("coroutines", stats.coroutines);
  check("queued", stats.queued);
  check("microtasks", stats.microtasks);
  check("active_events", stats.active_events);
  check("hidden_events", stats.hidden_events);
  check("armed_timers", stats.armed_timers);
  check("contexts_in_use", stats.contexts_in_use);
  return text;
}

/// Memory that one run leaves to the next. Not under a sanitizer, which would not see the use of a
/// freed object once its memory is reused.
struct KeptMemory {
#if !WEFT_ASAN && !WEFT_TSAN
  SpareSlab slab;
#endif
#if !WEFT_TSAN
  SpareStacks stacks;
#endif
};

/// Gives fail() the choices of the run in progress, as long as this object lives.
class Answering {
 public:
  explicit Answering(Choices& choices) noexcept { current_thread.explored = &choices; }
  ~Answering() { current_thread.explored = nullptr; }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;
};

/// A virtual clock that counts how often it is read: a run that never ends reads it for ever, and
/// is stopped.
class SteppingClock final : public Clock {
 public:
  explicit SteppingClock(Choices& choices) noexcept : choices_{choices} {}
  [[nodiscard]] TimePoint now() noexcept override {
    choices_.step();
    return clock_.now();
  }
  [[nodiscard]] bool is_virtual() const noexcept override { return true; }
  void jump_to(TimePoint moment) noexcept override { clock_.jump_to(moment); }
  void passed(unsigned passes) noexcept override { clock_.passed(passes); }

 private:
  Choices& choices_;
  VirtualClock clock_;
};

}  // namespace

/// One exploration.
class Explorer {
 public:
  Explorer(Function<void()>& scenario, const ExploreOptions& options)
      : scenario_{scenario}, options_{options} {
    void* memory = ::mmap(nullptr, sizeof(SharedRecord), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw std::system_error{errno, std::generic_category(), "explore: no shared memory"};
    }
    record_ = ::new (memory) SharedRecord;
  }
  ~Explorer() { ::munmap(record_, sizeof(SharedRecord)); }
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  Report explore() {
    if (options_.in_child) {
      explore_in_child();
    } else {
      explore_here();
    }
    Report report;
    report.schedules_ = record_->schedules;
    report.failures_ = record_->failures;
    report.complete_ = record_->complete;
    if (record_->failures > 0) {
      report.replay_ = record_->replay;
      report.failure_ = std::string{record_->failure} + "\n  after " +
                        std::to_string(record_->schedules) +
                        " schedules; to see it again: replay(\"" + report.replay_ + "\")";
    }
    return report;
  }

 private:
  void explore_here() {
    [[maybe_unused]] const KeptMemory kept;
    Choices choices{options_, *record_};
    const Answering answering{choices};
    for (;;) {
      choices.begin_run();
      ++record_->schedules;
      std::string failure = with_noted(run_once(choices));
      if (choices.record_error() != nullptr) {
        failure.insert(0, failure.empty() ? "" : "; ").insert(0, choices.record_error());
      }
      if (!failure.empty()) {
        note_failure(failure, choices.recorded());
        if (!options_.keep_going || choices.record_error() != nullptr) return;
      }
      if (!choices.next_run()) {
        record_->complete = true;
        return;
      }
      if (record_->schedules >= options_.max_runs) {
        note_failure("more than max_runs schedules: make the scenario smaller, or use random()",
                     choices.recorded());
        return;
      }
    }
  }

  /// Puts the text of fail() first: the other failure may be its consequence.
  [[nodiscard]] std::string with_noted(const std::string& failure) const {
    const std::string noted = record_->noted;
    return noted + (noted.empty() || failure.empty() ? "" : "\n  then ") + failure;
  }

  void note_failure(const std::string& failure, const std::string& recorded) noexcept {
    if (record_->failures++ > 0) return;
    keep(record_->failure, failure);
    keep(record_->replay, recorded);
  }

  std::string run_once(Choices& choices) {
    SteppingClock clock{choices};
    std::string warning;
    Options options;
    options.clock = &clock;
    options.choice = &choices;
    options.reactor_every_switches = 1;
    options.deadlock_report = false;
    options.overflow_report = false;
    options.stack_size = std::size_t{64} * 1024;
    options.exit_throws = true;
    options.on_warning = [&](std::string_view text) {
      if (warning.empty()) warning = text;
    };
    bool unasked = false;
    try {
      weft::run(
          [&] {
            try {
              scenario_();
            } catch (const Cancelled&) {  // a normal end, as for run()
              unasked = !choices.cancelled() && !current().is_cancellation_requested();
              throw;
            }
          },
          options);
    } catch (...) {
      return "error: " + describe(std::current_exception());
    }
    if (unasked) return "error: a Cancelled left the scenario, which was not cancelled";
    const std::string left = leftovers(choices.at_end());
    if (!left.empty()) return "left over at the end: " + left;
    if (options_.fail_on_warning && !warning.empty()) return "warning: " + warning;
    return {};
  }

  /// Stores the counts of this process's probes, which the parent adds to its own.
  void hand_over_probes(const std::vector<Probe::Count>& before) noexcept {
    std::size_t next = 0;
    for (Probe::Count count : Probe::counts()) {
      for (const Probe::Count& old : before) {
        if (old.probe == count.probe) count.hits -= old.hits;
      }
      if (count.hits > 0 && next < std::size(record_->probes)) record_->probes[next++] = count;
    }
  }

  void explore_in_child() {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) throw std::system_error{errno, std::generic_category(), "explore: fork"};
    if (child == 0) {
      try {
        const std::vector<Probe::Count> before = Probe::counts();
        explore_here();
        hand_over_probes(before);
      } catch (...) {
        note_failure("explore: " + describe(std::current_exception()), {});
      }
      std::fflush(nullptr);
      record_->finished = true;
      ::_exit(0);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (record_->finished) {
      for (const Probe::Count& count : record_->probes) {
        if (count.hits > 0) count.probe->hit(count.hits);
      }
      return;
    }
    std::string why = record_->last_words;
    if (why.empty()) {
      why = WIFSIGNALED(status) ? std::string{"the process died: "} + strsignal(WTERMSIG(status)) +
                                      " (its last words are on standard error)"
                                : "the process exited in the middle of a run";
    }
    note_failure(with_noted(why), Choices{options_, *record_}.recorded());
  }

  Function<void()>& scenario_;
  const ExploreOptions& options_;
  SharedRecord* record_ = nullptr;
};

Report explore(Function<void()> scenario, ExploreOptions options) {
  if (current_thread.scheduler != nullptr) {
    throw MisuseError{"explore() brings its own runtimes: call it outside run()"};
  }
  return Explorer{scenario, options}.explore();
}

}  // namespace weft::testing
