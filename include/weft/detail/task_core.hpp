#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/completion.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/origin.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/scope.hpp"
#include "weft/task_key.hpp"
#include "weft/task_options.hpp"
#include "weft/task_results.hpp"

// Underneath TaskGroup and TaskSet: all that does not depend on the type of the results.
namespace weft::detail {

class Held;
class TaskCore;
class TaskJoin;
class TaskKeys;

/// One task: a coroutine with what its group stores for it. A queued task is not entered yet.
class TaskEntry : public CoroutineBase {
 public:
  [[nodiscard]] const TaskKey& key() const noexcept { return key_; }
  [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }

 protected:
  TaskEntry() noexcept { watch_end(); }
  ~TaskEntry() override = default;

 private:
  friend class TaskCore;
  friend class TaskOrder;
  friend class ListAccess;
  enum class State : std::uint8_t { outside, queued, running, settled };

  void ended() noexcept final;

  TaskKey key_;
  std::exception_ptr error_;  // also of a task that was never entered
  TaskCore* core_ = nullptr;  // held while it is running
  std::uint64_t order_ = 0;   // smaller: spawned earlier
  ListLinks<TaskEntry> list_links_;
  TaskEntry* child_ = nullptr;  // in its TaskOrder: the first child
  TaskEntry* right_ = nullptr;  // the next with the same parent
  std::uint32_t handled_ = 0;   // how many times the error was delivered
  State state_ = State::outside;
  bool is_named_ = false;  // has a key given by the user
  bool indexed_ = false;   // in the keys of its group
};

/// Tasks that have ended, so that the first in the order of spawning is found at once: a pairing
/// heap, in which no task is below one that was spawned later. Chained through the tasks, so that
/// push and pop allocate nothing; a heap of the standard library would, and takes longer
/// (docs/performance.md).
class TaskOrder {
 public:
  [[nodiscard]] TaskEntry* first() const noexcept { return root_; }
  void insert(TaskEntry& entry) noexcept {
    root_ = root_ == nullptr ? &entry : &join(*root_, entry);
  }
  /// Takes the first one out.
  void pop() noexcept;

 private:
  static TaskEntry& join(TaskEntry& a, TaskEntry& b) noexcept {
    return a.order_ < b.order_ ? put_below(a, b) : put_below(b, a);
  }
  static TaskEntry& put_below(TaskEntry& parent, TaskEntry& child) noexcept {
    child.right_ = parent.child_;
    parent.child_ = &child;
    return parent;
  }
  static TaskEntry* join_all(TaskEntry* siblings) noexcept;

  TaskEntry* root_ = nullptr;
};

/// What one future of all(), race() or any() waits for. The future is derived from it.
class TaskJoin {
 public:
  enum class Kind : std::uint8_t { all, race, any };
  using Entries = std::vector<Ref<TaskEntry>>;
  TaskJoin(const TaskJoin&) = delete;
  TaskJoin& operator=(const TaskJoin&) = delete;

 protected:
  TaskJoin(TaskCore& core, Kind kind, TaskErrors errors) noexcept;
  virtual ~TaskJoin();

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] std::string describe_join() const;
  [[nodiscard]] TaskErrors errors() const noexcept { return errors_; }
  /// Completes the future with the outcome of `entries`. False if constructing the value threw:
  /// then the future has failed with that, and nothing was delivered.
  virtual bool deliver(const Entries& entries) noexcept = 0;
  virtual void fail_with(std::exception_ptr error) noexcept = 0;
  /// The future itself, which stays while it is waited for.
  [[nodiscard]] virtual Event& event() noexcept = 0;
  /// Puts a value that cannot be copied back where it came from.
  virtual void return_values(const Entries& entries) noexcept = 0;

  /// The future is no longer waited for.
  void leave() noexcept;
  /// The future is destroyed. If what was delivered to it was not taken, gives it back to the group
  /// and returns true.
  bool end(bool taken) noexcept;

 private:
  friend class TaskCore;
  friend class TaskJoins;
  friend class ListAccess;
  Ref<TaskCore> core_;
  ListLinks<TaskJoin> list_links_;
  Entries lent_;     // delivered, perhaps not taken
  Entries excused_;  // their errors count as handled, because of a success
  std::uint64_t arrival_ = 0;
  Kind kind_;
  TaskErrors errors_;
};

/// Joins of one kind, in the order of their arrival. Holds their futures.
class TaskJoins {
 public:
  [[nodiscard]] TaskJoin* first() const noexcept { return list_.first(); }
  void push_back(TaskJoin& join) noexcept;
  void remove(TaskJoin& join) noexcept;

 private:
  IntrusiveList<TaskJoin> list_;
};

/// The group itself. Lives as long as its object, a task that runs, or a future of it.
class TaskCore final : public WaitedFor, public Counted<TaskCore> {
 public:
  enum class Kind : std::uint8_t { group, set };

  /// Throws MisuseError outside a runtime, and for a scope that is closed or cancelled.
  static Ref<TaskCore> create(Kind kind, const TaskOptions& options, Place place);

  /// Suspends while the queue is full.
  void spawn(TaskEntry& entry, PackedPlace place);
  void spawn_with_key(TaskEntry& entry, TaskKey key, PackedPlace place);
  void join(TaskJoin& join);
  /// Suspends until there is a task after `last`, in a set the first one, and it has ended. Null:
  /// no more will come. In a set the caller owns it now.
  Ref<TaskEntry> next(TaskEntry* last, Place place);
  /// Gives back a task from next() that was not delivered.
  void give_back(TaskEntry& entry) noexcept;

  void close() noexcept;
  /// Tasks are cancelled with `error` if there is one.
  void cancel(const std::string& reason, const std::exception_ptr& error = nullptr) noexcept;
  void dispose() noexcept;
  void suppress_errors() noexcept;
  void await_completion(Place place);
  void on_finally(Function<void()> handler);
  /// Suspends until the tasks, which are cancelled, have ended. Called when the object is
  /// destroyed.
  void abandon() noexcept;

  [[nodiscard]] bool is_finished() const noexcept { return running_ == 0 && queued_ == 0; }
  [[nodiscard]] bool is_closed() const noexcept { return closed_; }
  [[nodiscard]] std::size_t count() const noexcept {
    return kind_ == Kind::group ? total_ : listed_;
  }
  [[nodiscard]] std::uint64_t id() const noexcept { return origin_.id(); }
  [[nodiscard]] std::string info() const;
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::string brief() const override { return info(); }
  /// Happens when it is closed and all tasks have ended.
  [[nodiscard]] Event& event();

 private:
  friend class Counted<TaskCore>;
  friend class Held;
  friend class TaskEntry;
  friend class TaskJoin;
  class IterationWaiter;
  /// Its event. A reference to it holds the core, and not the object of the user.
  class EndEvent final : public Completion {
   public:
    explicit EndEvent(TaskCore& core) noexcept : core_{core} {}
    ~EndEvent() override = default;
    [[nodiscard]] std::string info() const override { return core_.info(); }
    [[nodiscard]] std::string describe() const override { return core_.describe(); }

   private:
    void host_retain() noexcept override { core_.retain(); }
    void host_release() noexcept override { core_.release(); }
    TaskCore& core_;
  };
  TaskCore(Kind kind, const TaskOptions& options, Place place);
  ~TaskCore();

  // task_core.cpp: tasks come, run and end.
  [[nodiscard]] const char* name() const noexcept;
  void check(const TaskEntry& entry) {
    if (closed_) [[unlikely]]
      refuse_closed();
    if (entry.is_named_) check_key(entry.key_);
  }
  [[noreturn]] void refuse_closed() const;
  void check_key(const TaskKey& key);
  void index_all();
  [[nodiscard]] bool has_room() const noexcept;
  void spawn_later(TaskEntry& entry);
  void wait_for_room(Place place);
  void add(TaskEntry& entry);
  [[noreturn]] void refuse_keyless() const;
  void count_key(const TaskKey& key) noexcept;
  void run(TaskEntry& entry);
  void ended(TaskEntry& entry) noexcept;
  void fail(TaskEntry& entry, const std::exception_ptr& error) noexcept;
  static void mark_settled(TaskEntry& entry, TaskOrder& order) noexcept {
    entry.state_ = TaskEntry::State::settled;
    order.insert(entry);
  }
  void advance() noexcept;
  void wake_spawners() noexcept;
  void start_queued() noexcept;
  void finish() noexcept;
  void drop_queued(const std::exception_ptr& error) noexcept;
  void append(TaskEntry& entry) noexcept;
  void unlist(TaskEntry& entry) noexcept;
  void relist(TaskEntry& entry) noexcept;
  void forget_key(TaskEntry& entry) noexcept;
  [[nodiscard]] TaskOrder& ended_like(const TaskEntry& entry) noexcept {
    return entry.error_ == nullptr ? succeeded_ : failed_;
  }
  [[nodiscard]] TaskEntry* first_settled() const noexcept;

  // task_delivery.cpp: results go out
  void serve() noexcept;
  void serve_joins() noexcept;
  void serve_finished() noexcept;
  void serve_iterations() noexcept;
  void lend(TaskJoin& join, TaskJoin::Entries entries, TaskJoin::Entries excused = {}) noexcept;
  void refuse(TaskJoin& join, std::exception_ptr error) noexcept;
  [[nodiscard]] TaskJoin::Entries collect(bool only_failed) const;
  void take_back(TaskJoin& join) noexcept;
  void restore(TaskEntry& entry) noexcept;
  [[nodiscard]] TaskJoins& joins(TaskJoin::Kind kind) noexcept;
  [[nodiscard]] std::exception_ptr empty_error(TaskJoin::Kind kind) const noexcept;

  // task_end.cpp: the group ends
  void run_finally() noexcept;
  void report_errors() noexcept;
  void stop_tasks(const std::string& reason, const std::exception_ptr& error,
                  bool whole_scope) noexcept;
  void wait_for_last_task() noexcept;

  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  static constexpr std::int64_t last_key = std::numeric_limits<std::int64_t>::max();

  Kind kind_;
  bool own_scope_;
  bool closed_ = false;
  bool cancelled_ = false;  // by cancel(): errors count as handled
  bool abandoned_ = false;
  Ref<Scope> scope_;
  std::size_t concurrency_ = unlimited;
  std::size_t capacity_ = unlimited;  // running and queued together
  std::size_t running_ = 0;
  std::size_t queued_ = 0;
  std::size_t reserved_ = 0;  // places of spawners that were woken and have not run
  std::size_t total_ = 0;
  std::size_t listed_ = 0;
  std::int64_t next_key_ = 0;
  std::uint64_t next_order_ = 0;
  std::uint64_t next_arrival_ = 0;
  IntrusiveList<TaskEntry> entries_;   // in the order of spawning; holds them
  TaskEntry* first_queued_ = nullptr;  // all behind it are queued too
  std::unique_ptr<TaskKeys> keys_;     // of all of them, once the user has given a key
  TaskOrder succeeded_;                // those that have ended and are listed
  TaskOrder failed_;
  TaskJoins races_;
  TaskJoins anys_;
  TaskJoins alls_;
  WaitList spawners_;
  WaitList iterations_;
  WaitList completion_;
  std::vector<Function<void()>> finally_handlers_;
  Origin origin_;
  std::unique_ptr<EndEvent> over_;  // its event, made on first use
};

}  // namespace weft::detail
