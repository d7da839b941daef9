#include "weft/detail/task_core.hpp"

#include "base/assert.hpp"
#include "concurrency/scope_core.hpp"
#include "concurrency/task_keys.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"

// The tasks of a group: how they are added, run, and end.
namespace weft::detail {
namespace {

std::size_t add_up(std::size_t a, std::size_t b) noexcept {
  return a > std::numeric_limits<std::size_t>::max() - b ? std::numeric_limits<std::size_t>::max()
                                                         : a + b;
}

std::exception_ptr scope_cancelled_error() noexcept {
  return std::make_exception_ptr(Cancelled::with_literal("Scope was cancelled"));
}

}  // namespace

void TaskEntry::ended() noexcept {
  claim_error();  // the group keeps the error
  core_->ended(*this);
}

Ref<TaskCore> TaskCore::create(Kind kind, const TaskOptions& options, Place place) {
  return Ref<TaskCore>::adopt(new TaskCore{kind, options, place});
}

TaskCore::TaskCore(Kind kind, const TaskOptions& options, Place place)
    : kind_{kind}, own_scope_{!options.scope}, scope_{options.scope}, origin_{place} {
  if (own_scope_) {
    scope_ = Scope::inherit(place);
    scope_->allow_zombies(false);
  } else if (scope_->is_closed() || scope_->is_cancelled()) {
    throw MisuseError{std::string{"Cannot use a disposed Scope for "} + name()};
  }
  if (options.concurrency == 0) return;
  concurrency_ = options.concurrency;
  const std::size_t queue = options.queue_limit.value_or(add_up(concurrency_, concurrency_));
  if (queue != 0) capacity_ = add_up(concurrency_, queue);
}

TaskCore::~TaskCore() {
  WEFT_ASSERT(is_finished(), "a group of tasks stays while one of them runs");
  while (TaskEntry* const entry = entries_.pop_front()) entry->release();
}

const char* TaskCore::name() const noexcept {
  return kind_ == Kind::group ? "TaskGroup" : "TaskSet";
}

std::string TaskCore::info() const {
  return std::string{name()} + "(total=" + std::to_string(count()) +
         ", active=" + std::to_string(running_) + ")";
}

std::string TaskCore::describe() const {
  std::string details = std::to_string(running_) + " running";
  if (queued_ > 0) details += ", " + std::to_string(queued_) + " queued";
  details += ", " + std::to_string(count()) + " in all";
  if (closed_) details += ", closed";
  return origin_.describe(name(), details);
}

void TaskCore::refuse_closed() const {
  throw MisuseError{std::string{"Cannot spawn tasks on a closed "} + name()};
}

void TaskCore::check_key(const TaskKey& key) {
  index_all();
  if (keys_->has(key)) throw MisuseError{"Duplicate key " + key.text() + " in " + name()};
}

/// Automatic keys are unique, so the index is made with the first key that a user gives.
void TaskCore::index_all() {
  if (keys_) return;
  auto keys = std::make_unique<TaskKeys>();
  for (TaskEntry& entry : entries_) keys->insert(entry);
  for (TaskEntry& entry : entries_) entry.indexed_ = true;
  keys_ = std::move(keys);
}

/// A new spawn goes behind the waiting ones, and behind those that were woken and have not run.
bool TaskCore::has_room() const noexcept {
  return capacity_ == unlimited ||
         (spawners_.is_empty() && reserved_ == 0 && running_ + queued_ < capacity_);
}

void TaskCore::spawn(TaskEntry& entry, PackedPlace place) {
  entry.set_spawn_place(place);
  check(entry);
  if (has_room()) [[likely]] {
    add(entry);
  } else {
    spawn_later(entry);
  }
}

void TaskCore::spawn_with_key(TaskEntry& entry, TaskKey key, PackedPlace place) {
  entry.key_ = std::move(key);
  entry.is_named_ = true;
  spawn(entry, place);
}

void TaskCore::spawn_later(TaskEntry& entry) {
  const Ref<TaskCore> keep{this};
  wait_for_room(entry.spawn_place());
  // The place is no longer reserved; if this spawn fails, the next waiter gets it.
  struct Advance {
    TaskCore& core;
    ~Advance() { core.advance(); }
  } const advance{*this};
  check(entry);
  add(entry);
}

void TaskCore::wait_for_room(Place place) {
  Waiter waiter{"place in the queue of a task group", this};
  spawners_.push_back(waiter);
  try {
    waiter.wait(kind_ == Kind::group ? "TaskGroup::spawn()" : "TaskSet::spawn()", {}, place);
  } catch (...) {
    if (waiter.is_granted()) {
      --reserved_;
      advance();
    }
    throw;
  }
  if (waiter.is_granted()) --reserved_;
}

/// Everything that may throw comes first.
void TaskCore::add(TaskEntry& entry) {
  if (!entry.is_named_) {
    if (next_key_ == last_key) [[unlikely]]
      refuse_keyless();
    entry.key_ = next_key_;
  }
  if (keys_) [[unlikely]]
    entry.indexed_ = keys_->insert(entry);
  if (running_ < concurrency_ && queued_ == 0) {
    try {
      run(entry);
    } catch (...) {
      forget_key(entry);
      throw;
    }
  } else {
    entry.state_ = TaskEntry::State::queued;
    ++queued_;
    if (first_queued_ == nullptr) first_queued_ = &entry;
  }
  if (entry.is_named_) {
    count_key(entry.key_);
  } else {
    ++next_key_;
  }
  append(entry);
}

void TaskCore::refuse_keyless() const {
  throw MisuseError{std::string{"No integer is left for a key in "} + name()};
}

/// Automatic keys are above all integer keys that users gave.
void TaskCore::count_key(const TaskKey& key) noexcept {
  if (!key.is_number() || key.number() < next_key_) return;
  next_key_ = key.number() == last_key ? last_key : key.number() + 1;
}

void TaskCore::run(TaskEntry& entry) {
  Spawner::enter_made(ScopeCore::of(*scope_), entry);
  retain();
  entry.core_ = this;
  entry.state_ = TaskEntry::State::running;
  ++running_;
}

void TaskCore::ended(TaskEntry& entry) noexcept {
  --running_;
  if (entry.waker().error() == nullptr) [[likely]] {
    mark_settled(entry, succeeded_);
  } else {
    fail(entry, entry.waker().error());
  }
  advance();
  release();
}

void TaskCore::fail(TaskEntry& entry, const std::exception_ptr& error) noexcept {
  entry.error_ = error;
  if (cancelled_) ++entry.handled_;
  mark_settled(entry, failed_);
}

/// A task ended or a place was given up: starts and wakes what can go on. The caller holds the
/// group.
void TaskCore::advance() noexcept {
  if (first_queued_ != nullptr) start_queued();
  if (!spawners_.is_empty()) wake_spawners();
  serve();
  if (is_finished()) finish();
}

void TaskCore::wake_spawners() noexcept {
  while (!closed_ && !spawners_.is_empty() && running_ + queued_ + reserved_ < capacity_) {
    ++reserved_;
    spawners_.grant_first();
  }
}

void TaskCore::start_queued() noexcept {
  while (first_queued_ != nullptr && running_ < concurrency_) {
    TaskEntry& entry = *first_queued_;
    first_queued_ = entry.list_links_.next();
    --queued_;
    if (scope_->is_closed() || scope_->is_cancelled()) {
      entry.drop_body();
      fail(entry, scope_cancelled_error());
      continue;
    }
    try {
      run(entry);
    } catch (...) {  // no memory for its place in the run queue: that is its error
      entry.drop_body();
      fail(entry, std::current_exception());
    }
  }
}

void TaskCore::drop_queued(const std::exception_ptr& error) noexcept {
  while (first_queued_ != nullptr) {
    TaskEntry& entry = *first_queued_;
    first_queued_ = entry.list_links_.next();
    --queued_;
    entry.drop_body();
    fail(entry, error);
  }
}

void TaskCore::append(TaskEntry& entry) noexcept {
  entry.retain();
  entry.order_ = next_order_++;
  entries_.push_back(entry);
  ++total_;
  ++listed_;
}

/// Takes `entry` out of a set, perhaps to come back. The caller holds a reference to it.
void TaskCore::unlist(TaskEntry& entry) noexcept {
  entries_.remove(entry);
  --listed_;
  TaskOrder& order = ended_like(entry);
  WEFT_ASSERT(order.first() == &entry, "tasks are delivered in the order of spawning");
  order.pop();
  forget_key(entry);
  entry.release();
}

void TaskCore::relist(TaskEntry& entry) noexcept {
  entry.retain();
  TaskEntry* behind = entries_.first();
  while (behind != nullptr && behind->order_ < entry.order_) behind = behind->list_links_.next();
  entries_.insert_before(behind, entry);
  ++listed_;
  ended_like(entry).insert(entry);
  try {
    if (keys_) entry.indexed_ = keys_->insert(entry);  // its key may be in use again
  } catch (...) {                                      // no memory: a second task may get its key
  }
}

void TaskCore::forget_key(TaskEntry& entry) noexcept {
  if (std::exchange(entry.indexed_, false)) keys_->erase(entry);
}

}  // namespace weft::detail
