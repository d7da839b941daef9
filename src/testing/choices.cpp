#include "testing/choices.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "base/current.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

namespace weft::testing {
namespace {
constexpr std::string_view fifo_mark = "fifo:";
}

Choices::Choices(const ExploreOptions& options, SharedRecord& record)
    : options_{options},
      record_{record},
      mode_{options.schedules.mode},
      fifo_{mode_ == Schedules::Mode::fifo},
      cancels_{options.cancel == Cancel::every_point},
      random_{options.schedules.seed} {
  width_.reserve(SharedRecord::most_decisions);
  if (mode_ == Schedules::Mode::replay) parse(options.schedules.recorded);
}

void Choices::parse(const std::string& line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  fifo_ = line.starts_with(fifo_mark);
  if (fifo_) at += fifo_mark.size();
  cancels_ = false;
  while (at < end) {
    const bool cancel = *at == 'c';
    Answer value = 0;
    const auto [rest, status] = std::from_chars(at + (cancel ? 1 : 0), end, value);
    if (status != std::errc{} || value >= cancel_bit || (rest < end && *rest != '.')) {
      throw ValueError{"This is not a recorded schedule: " + line};
    }
    cancels_ = cancels_ || cancel;
    prefix_.push_back(static_cast<Answer>(value | (cancel ? cancel_bit : 0)));
    at = rest < end ? rest + 1 : rest;
  }
}

void Choices::begin_run() noexcept {
  record_.decisions = 0;
  record_.noted[0] = '\0';
  width_.clear();
  suspensions_ = 0;
  steps_ = 0;
  cancelled_ = false;
  record_error_ = nullptr;
  // The first random run cancels no coroutine: it measures how long a run is.
  cancel_at_ = longest_ == 0 ? options_.max_suspensions : random_() % longest_;
}

bool Choices::next_run() noexcept {
  longest_ = std::max(longest_, suspensions_);
  if (mode_ == Schedules::Mode::replay) return false;
  if (mode_ == Schedules::Mode::random) return record_.schedules < options_.schedules.count;
  // Depth first: the last question with an untried answer gets the next one; later questions start
  // anew.
  std::size_t last = width_.size();
  while (last > 0 && (record_.taken[last - 1] & value_mask) + 1 >= width_[last - 1]) --last;
  if (last == 0) return false;
  prefix_.assign(record_.taken, record_.taken + last);
  ++prefix_[last - 1];
  expected_width_.assign(width_.begin(), width_.begin() + static_cast<std::ptrdiff_t>(last));
  return true;
}

/// Whether one more answer can be recorded. If not, the run goes on in production order, and fails.
bool Choices::has_room(std::size_t options) noexcept {
  if (record_.decisions >= SharedRecord::most_decisions) {
    record_error_ = "more than 65536 decisions in one run: no more can be recorded or enumerated";
    return false;
  }
  if (options > most_options) {
    record_error_ =
        "more than 32767 answers to one question: no more can be recorded or enumerated";
    return false;
  }
  return true;
}

std::size_t Choices::decide(std::size_t options, Answer kind) noexcept {
  if (options < 2) return 0;
  if (!has_room(options)) return 0;
  const std::size_t position = record_.decisions;
  std::size_t answer = 0;
  if (mode_ == Schedules::Mode::random) {
    answer = random_() % options;
  } else if (position < prefix_.size()) {
    answer = prefix_[position] & value_mask;
    if (answer >= options || (prefix_[position] & cancel_bit) != kind) {
      record_error_ = "the recorded line is of another scenario";
      answer = 0;
    }
    if (position < expected_width_.size() && expected_width_[position] != options) {
      record_error_ =
          "the scenario is not deterministic: it took another way without being asked to";
    }
  }
  record_.taken[position] = static_cast<Answer>(answer | kind);
  width_.push_back(static_cast<Answer>(options));
  record_.decisions = static_cast<std::uint32_t>(position + 1);
  return answer;
}

std::size_t Choices::decide_order(std::size_t options) noexcept {
  return fifo_ ? 0 : decide(options, 0);
}

std::size_t Choices::next_ready(std::size_t ready) noexcept { return decide_order(ready); }

std::size_t Choices::next_due(std::size_t due) noexcept { return decide_order(due); }

void Choices::note(std::string_view text) noexcept {
  if (record_.noted[0] != '\0') return;
  if (text.empty()) text = "fail()";
  std::snprintf(record_.noted, sizeof record_.noted, "%.*s", static_cast<int>(text.size()),
                text.data());
}

/// Ends the process with a report: nothing else stops a run that never ends.
void Choices::does_not_end(const char* before, std::uint64_t limit, const char* after) noexcept {
  std::snprintf(record_.last_words, sizeof record_.last_words, "%s %llu %s", before,
                static_cast<unsigned long long>(limit), after);
  if (options_.in_child) ::_exit(1);
  std::fprintf(stderr, "explore: %s; to see it again: replay(\"%s\")\n", record_.last_words,
               recorded().c_str());
  std::abort();
}

void Choices::at_suspension(CoroutineBase& /*coroutine*/) noexcept {
  if (++suspensions_ > options_.max_suspensions) {
    does_not_end("livelock: more than", options_.max_suspensions, "suspensions in one run");
  }
  if (!cancels_ || cancelled_) return;
  const Scheduler& scheduler = *current_thread.scheduler;
  const std::size_t victims = scheduler.registry().size();
  std::size_t answer = 0;
  if (mode_ == Schedules::Mode::random) {
    // One suspension of the run, chosen evenly; the answer is recorded like any other.
    if (suspensions_ - 1 == cancel_at_) answer = 1 + random_() % victims;
    if (!has_room(victims + 1)) return;
    record_.taken[record_.decisions++] = static_cast<Answer>(answer | cancel_bit);
  } else {
    answer = decide(victims + 1, cancel_bit);
  }
  if (answer == 0) return;
  cancelled_ = true;
  CoroutineBase* victim = scheduler.registry().first();
  while (--answer > 0) victim = Scheduler::next_registered(*victim);
  victim->cancel();
}

std::string Choices::recorded() const {
  std::size_t count = record_.decisions;
  while (count > 0 && (record_.taken[count - 1] & value_mask) == 0) --count;
  std::string text{fifo_ ? fifo_mark : std::string_view{}};
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += '.';
    if ((record_.taken[i] & cancel_bit) != 0) text += 'c';
    text += std::to_string(record_.taken[i] & value_mask);
  }
  return text;
}

}  // namespace weft::testing
