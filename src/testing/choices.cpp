#include "testing/choices.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "scheduler/scheduler.hpp"

namespace weft::testing {

Choices::Choices(const ExploreOptions& options, SharedRecord& record)
    : options_{options}, record_{record}, random_{options.schedules.seed} {
  width_.reserve(SharedRecord::most_decisions);
  const std::string& text = options.schedules.recorded;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::uint16_t value = 0;
    const auto [rest, status] = std::from_chars(at, end, value);
    if (status != std::errc{}) {
      throw ValueError{"This is not a recorded schedule: " + text};
    }
    prefix_.push_back(value);
    at = rest < end ? rest + 1 : rest;
  }
}

void Choices::begin_run() noexcept {
  record_.decisions = 0;
  width_.clear();
  suspensions_ = 0;
  cancelled_ = false;
  if (options_.schedules.mode == Schedules::Mode::random &&
      options_.cancel == Cancel::every_point) {
    cancel_at_ = random_() % last_suspensions_;
  }
}

bool Choices::next_run() noexcept {
  last_suspensions_ = suspensions_ == 0 ? 1 : suspensions_;
  if (options_.schedules.mode == Schedules::Mode::replay) return false;
  if (options_.schedules.mode == Schedules::Mode::random) {
    return record_.schedules < options_.schedules.count;
  }
  // Depth first: the last question that has another answer gets it, and what came after is new.
  std::size_t last = width_.size();
  while (last > 0 && record_.taken[last - 1] + 1 >= width_[last - 1]) --last;
  if (last == 0) return false;
  prefix_.assign(record_.taken, record_.taken + last);
  ++prefix_[last - 1];
  return true;
}

std::size_t Choices::decide(std::size_t options) noexcept {
  if (options < 2) return 0;
  const std::size_t position = record_.decisions;
  std::size_t answer = 0;
  if (position >= SharedRecord::most_decisions) return 0;
  if (options_.schedules.mode == Schedules::Mode::random) {
    answer = random_() % options;
  } else if (position < prefix_.size()) {
    answer = prefix_[position] < options ? prefix_[position] : options - 1;
  }
  record_.taken[position] = static_cast<std::uint16_t>(answer);
  width_.push_back(static_cast<std::uint16_t>(options));
  record_.decisions = static_cast<std::uint32_t>(position + 1);
  return answer;
}

std::size_t Choices::next_ready(std::size_t ready) noexcept {
  return options_.schedules.mode == Schedules::Mode::fifo ? 0 : decide(ready);
}

std::size_t Choices::next_due(std::size_t due) noexcept {
  return options_.schedules.mode == Schedules::Mode::fifo ? 0 : decide(due);
}

void Choices::at_suspension(Scheduler& scheduler, CoroutineBase& /*coroutine*/) noexcept {
  if (++suspensions_ > options_.max_suspensions) {
    // There is no way out of a run that never ends but to leave the process.
    std::snprintf(record_.failure, SharedRecord::most_text,
                  "livelock: more than %llu suspensions in one run",
                  static_cast<unsigned long long>(options_.max_suspensions));
    if (options_.in_child) ::_exit(1);
    std::abort();
  }
  if (options_.cancel == Cancel::nowhere || cancelled_) return;
  std::size_t answer = 0;
  if (options_.schedules.mode == Schedules::Mode::random) {
    // One suspension of the run, taken evenly; the answer is recorded like any other.
    const std::size_t victims = scheduler.registry().size();
    answer = suspensions_ - 1 == cancel_at_ ? 1 + random_() % victims : 0;
    if (record_.decisions < SharedRecord::most_decisions) {
      record_.taken[record_.decisions++] = static_cast<std::uint16_t>(answer);
    }
  } else {
    answer = decide(scheduler.registry().size() + 1);
  }
  if (answer == 0) return;
  cancelled_ = true;
  CoroutineBase* victim = scheduler.registry().first();
  while (--answer > 0) victim = CoroutineList::next(*victim);
  victim->cancel();
}

std::string Choices::recorded() const {
  std::size_t count = record_.decisions;
  while (count > 0 && record_.taken[count - 1] == 0) --count;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += '.';
    text += std::to_string(record_.taken[i]);
  }
  return text;
}

}  // namespace weft::testing
