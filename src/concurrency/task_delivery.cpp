#include <utility>

#include "base/assert.hpp"
#include "weft/detail/task_core.hpp"
#include "weft/error.hpp"
#include "weft/extend/event.hpp"

// How the outcomes of tasks reach futures and loops. In a set each goes to one of them, the one
// that has waited longest, and comes back if it is not taken.
namespace weft::detail {

TaskJoin::TaskJoin(TaskCore& core, Kind kind, TaskErrors errors) noexcept
    : core_{&core}, kind_{kind}, errors_{errors} {}

TaskJoin::~TaskJoin() {
  WEFT_ASSERT(!list_links_.is_listed(), "a future stays while it is waited for");
}

void TaskJoin::leave() noexcept {
  if (list_links_.is_listed()) core_->joins(kind_).remove(*this);
}

bool TaskJoin::end(bool taken) noexcept {
  if (lent_.empty() && excused_.empty()) return false;
  if (taken || core_->abandoned_) return false;
  return_values(lent_);
  core_->take_back(*this);
  return true;
}

void TaskJoins::push_back(TaskJoin& join) noexcept {
  join.event().retain();
  list_.push_back(join);
}

void TaskJoins::remove(TaskJoin& join) noexcept {
  list_.remove(join);
  join.event().release();
}

TaskJoins& TaskCore::joins(TaskJoin::Kind kind) noexcept {
  switch (kind) {
    case TaskJoin::Kind::race:
      return races_;
    case TaskJoin::Kind::any:
      return anys_;
    default:
      return alls_;
  }
}

std::exception_ptr TaskCore::empty_error(TaskJoin::Kind kind) const noexcept {
  try {
    throw MisuseError{std::string{kind == TaskJoin::Kind::race ? "Cannot race on an empty "
                                                               : "Cannot call any() on an empty "} +
                      name()};
  } catch (...) {
    return std::current_exception();
  }
}

void TaskCore::join(TaskJoin& join) {
  if (join.kind_ != TaskJoin::Kind::all && listed_ == 0) {
    std::rethrow_exception(empty_error(join.kind_));
  }
  const Ref<TaskCore> keep{this};
  join.arrival_ = next_arrival_++;
  joins(join.kind_).push_back(join);
  serve_joins();
  if (is_finished()) serve_finished();
}

void TaskCore::serve() noexcept {
  if (races_.first() != nullptr || anys_.first() != nullptr) serve_joins();
  if (!iterations_.is_empty()) serve_iterations();
}

TaskEntry* TaskCore::first_settled() const noexcept {
  TaskEntry* const success = succeeded_.first();
  TaskEntry* const failure = failed_.first();
  if (success == nullptr || failure == nullptr) return success != nullptr ? success : failure;
  return success->order_ < failure->order_ ? success : failure;
}

/// Serves joins that need not wait for the end of the group, the oldest first.
void TaskCore::serve_joins() noexcept {
  for (;;) {
    TaskJoin* join = nullptr;
    TaskEntry* entry = nullptr;
    if (races_.first() != nullptr && (entry = first_settled())) {
      join = races_.first();
    }
    if (TaskJoin* any = anys_.first();
        any != nullptr && (join == nullptr || any->arrival_ < join->arrival_)) {
      if (TaskEntry* success = succeeded_.first()) {
        join = any;
        entry = success;
      }
    }
    if (join == nullptr) return;
    try {
      TaskJoin::Entries one{Ref<TaskEntry>{entry}};
      const bool any = join->kind_ == TaskJoin::Kind::any;
      lend(*join, std::move(one), any ? collect(true) : TaskJoin::Entries{});
    } catch (...) {  // no memory: the entry stays in the group
      refuse(*join, std::current_exception());
    }
  }
}

/// No task runs or is queued: completes the remaining joins with the present outcomes.
void TaskCore::serve_finished() noexcept {
  while (TaskJoin* join = alls_.first()) {
    try {
      TaskJoin::Entries failed = collect(true);
      const bool fails = !failed.empty() && join->errors_ == TaskErrors::fail;
      lend(*join, fails ? std::move(failed) : collect(false));
    } catch (...) {
      refuse(*join, std::current_exception());
    }
  }
  while (TaskJoin* join = anys_.first()) {
    try {
      TaskJoin::Entries failed = collect(true);
      if (failed.empty()) {
        refuse(*join, empty_error(join->kind_));
      } else {
        lend(*join, std::move(failed));
      }
    } catch (...) {
      refuse(*join, std::current_exception());
    }
  }
  while (TaskJoin* join = races_.first()) refuse(*join, empty_error(join->kind_));
}

/// Ended tasks that are not delivered, in the order of spawning.
TaskJoin::Entries TaskCore::collect(bool only_failed) const {
  TaskJoin::Entries entries;
  if (only_failed && failed_.first() == nullptr) return entries;  // the usual case needs no walk
  if (!only_failed) entries.reserve(listed_);
  for (TaskEntry& entry : entries_) {
    if (entry.state_ != TaskEntry::State::settled) continue;
    if (!only_failed || entry.error_ != nullptr) entries.emplace_back(&entry);
  }
  return entries;
}

void TaskCore::lend(TaskJoin& join, TaskJoin::Entries entries, TaskJoin::Entries excused) noexcept {
  const Ref<Event> keep{&join.event()};
  join.leave();
  // Before the future is notified: from here on the errors are the future's.
  for (const Ref<TaskEntry>& entry : entries) {
    if (entry->error_ != nullptr) ++entry->handled_;
    if (kind_ == Kind::set) unlist(*entry);
  }
  for (const Ref<TaskEntry>& entry : excused) ++entry->handled_;
  join.lent_ = std::move(entries);
  join.excused_ = std::move(excused);
  if (!join.deliver(join.lent_)) take_back(join);
}

void TaskCore::refuse(TaskJoin& join, std::exception_ptr error) noexcept {
  const Ref<Event> keep{&join.event()};
  join.leave();
  join.fail_with(std::move(error));
}

void TaskCore::take_back(TaskJoin& join) noexcept {
  const Ref<TaskCore> keep{this};
  const TaskJoin::Entries entries = std::exchange(join.lent_, {});
  const TaskJoin::Entries excused = std::exchange(join.excused_, {});
  for (const Ref<TaskEntry>& entry : excused) --entry->handled_;
  for (const Ref<TaskEntry>& entry : entries) restore(*entry);
  serve();
}

void TaskCore::restore(TaskEntry& entry) noexcept {
  if (entry.error_ != nullptr) --entry.handled_;
  if (kind_ == Kind::set) relist(entry);
}

std::string TaskJoin::describe_join() const {
  static constexpr const char* questions[] = {"all", "first to end", "first success"};
  return std::string{questions[static_cast<std::size_t>(kind_)]} + " of " + core_->describe();
}

/// A loop over the group that waits for the next task.
class TaskCore::IterationWaiter final : public Waiter {
 public:
  IterationWaiter(const TaskCore& core, TaskEntry* last) noexcept
      : Waiter{"next task of a group", &core}, last_{last} {}
  Ref<TaskEntry> given = {};  // NOLINT(misc-non-private-member-variables-in-classes)
  [[nodiscard]] TaskEntry* last() const noexcept { return last_; }

 private:
  TaskEntry* last_;
};

Ref<TaskEntry> TaskCore::next(TaskEntry* last, Place place) {
  const Ref<TaskCore> keep{this};
  IterationWaiter waiter{*this, last};
  iterations_.push_back(waiter);
  serve_iterations();
  if (!waiter.is_granted()) {
    try {
      waiter.wait(kind_ == Kind::group ? "A step through a TaskGroup" : "A step through a TaskSet",
                  {}, place);
    } catch (...) {
      if (waiter.given) give_back(*waiter.given);
      throw;
    }
  }
  return std::move(waiter.given);
}

void TaskCore::serve_iterations() noexcept {
  for (Waiter* waiter = iterations_.first(); waiter != nullptr;) {
    auto& iteration = static_cast<IterationWaiter&>(*waiter);
    waiter = waiter->next();
    TaskEntry* const last = kind_ == Kind::group ? iteration.last() : nullptr;
    TaskEntry* const entry = last != nullptr ? last->list_links_.next() : entries_.first();
    if (entry == nullptr ? !closed_ : entry->state_ != TaskEntry::State::settled) continue;
    if (entry != nullptr) {
      iteration.given = Ref<TaskEntry>{entry};
      if (entry->error_ != nullptr) ++entry->handled_;
      if (kind_ == Kind::set) unlist(*entry);
    }
    iteration.grant();
  }
}

void TaskCore::give_back(TaskEntry& entry) noexcept {
  const Ref<TaskCore> keep{this};
  restore(entry);
  serve();
}

}  // namespace weft::detail
