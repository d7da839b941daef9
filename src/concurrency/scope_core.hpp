#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string_view>
#include <vector>

#include "scheduler/owner.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/detail/channel_base.hpp"
#include "weft/extend/completion.hpp"
#include "weft/extend/origin.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/scope.hpp"
#include "weft/timer.hpp"

namespace weft {

/// Takes the failures of a scope that is the scope of a block (with_scope).
class ScopeFailureSink {
 public:
  virtual void keep(std::exception_ptr error) noexcept = 0;

 protected:
  ~ScopeFailureSink() = default;
};

class HostScope;

/// Why a scope is ended: a text for its coroutines, or an error.
struct ScopeEnd {
  ScopeEnd() noexcept = default;
  ScopeEnd(std::string_view given) noexcept : text{given} {}  // NOLINT(google-explicit-constructor)
  ScopeEnd(const char* given) noexcept : text{given} {}       // NOLINT(google-explicit-constructor)
  ScopeEnd(std::string_view given, std::exception_ptr cause) noexcept
      : text{given}, error{std::move(cause)} {}
  std::string_view text;
  std::exception_ptr error;
};

/// The implementation of Scope. Lives as long as it is held, has members or descendants with
/// members, or has a failure that is not handled yet.
class ScopeCore final : public Scope, public Owner, public WaitedFor {
 public:
  ScopeCore(Owner* parent, bool allows_zombies, Place place) noexcept;
  static ScopeCore& of(Scope& scope) noexcept { return static_cast<ScopeCore&>(scope); }
  static const ScopeCore& of(const Scope& scope) noexcept {
    return static_cast<const ScopeCore&>(scope);
  }

  /// Keeps the scope alive while it lives.
  class Pin {
   public:
    explicit Pin(ScopeCore& scope) noexcept : scope_{&scope} { scope.pin(); }
    Pin(const Pin& other) noexcept : Pin{*other.scope_} {}
    Pin& operator=(const Pin&) = delete;
    ~Pin() { scope_->unpin(); }
    ScopeCore& operator*() const noexcept { return *scope_; }
    ScopeCore* operator->() const noexcept { return scope_; }

   private:
    ScopeCore* scope_;
  };

  // Members come and go: scope_core.cpp
  void admit() override;
  void admit_cleanup() override;
  void joined(CoroutineBase& coroutine) noexcept override;
  void left(CoroutineBase& coroutine) noexcept override;
  [[nodiscard]] Owner& below() noexcept override;
  void pin() noexcept override { ++pins_; }
  void unpin() noexcept override;
  void add_holder() noexcept;
  void release_holder() noexcept;
  void drop_holder() noexcept;
  /// Whether the scope or a descendant has a member that is no zombie.
  [[nodiscard]] bool is_busy() const noexcept { return active_ > 0 || busy_children_ > 0; }
  /// Whether the scope or a descendant has a member.
  [[nodiscard]] bool is_inhabited() const noexcept {
    return !members().empty() || inhabited_children_ > 0;
  }
  [[nodiscard]] bool closed() const noexcept { return closed_; }
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  [[nodiscard]] bool is_of_this_runtime() const noexcept {
    const Scheduler* scheduler = current_thread.scheduler;
    return scheduler != nullptr && scheduler->serial() == runtime_ && !scheduler->is_over();
  }
  /// Whether `owner` is this scope or a descendant.
  [[nodiscard]] bool contains(const Owner* owner) const noexcept;

  // As the scope of a host's object: host.cpp
  void join_host(HostScope& host);
  void detach_host() noexcept;
  [[nodiscard]] void* host_object() const noexcept;
  [[nodiscard]] void* nearest_host_object() const noexcept;
  /// Kept alive, because what is done with one may end others; the newest first.
  [[nodiscard]] std::vector<Pin> children() const;

  // Ending: scope_cancel.cpp
  void cancel_all(const ScopeEnd& why) noexcept;
  void leave_zombies(const ScopeEnd& why) noexcept;
  void dispose_with(const ScopeEnd& why) noexcept;
  void dispose_later(Duration duration);
  void set_zombies(bool allowed) noexcept { allows_zombies_ = allowed; }
  /// The channels that coroutines of this scope have made; they close when it is cancelled.
  [[nodiscard]] detail::ChannelBindings& channels() noexcept { return channels_; }
  void add_finally(Function<void(Scope&)> handler);
  void close() noexcept;

  // Failures: scope_errors.cpp
  bool take_error(CoroutineBase& coroutine, const std::exception_ptr& error) noexcept override;
  [[nodiscard]] bool wants_every_error() const noexcept override {
    return failure_sink_ != nullptr;
  }
  void set_handler(ExceptionHandler handler);
  void set_child_handler(ExceptionHandler handler);
  void set_failure_sink(ScopeFailureSink* keeper) noexcept { failure_sink_ = keeper; }
  /// The text that coroutines are cancelled with when one has failed; a literal, empty for the
  /// default.
  void set_failure_text(const char* text) noexcept { failure_text_ = text; }
  [[nodiscard]] const char* failure_text() const noexcept { return failure_text_; }

  // As an event, and for reports: scope_event.cpp
  [[nodiscard]] Event& event();
  [[nodiscard]] const Origin& origin() const noexcept { return origin_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return origin_.id(); }
  [[nodiscard]] std::string describe() const override;

  // Waiting: scope_wait.cpp
  void wait_for_completion(Token token, Place place);
  void wait_for_end(AfterHandler& handler, Token token, Place place);
  [[nodiscard]] std::exception_ptr was_cancelled() const;
  /// Suspends until the scope is empty, even if it is cancelled.
  void wait_until_empty(Place place);

 private:
  class Disposal;
  /// The completion event. A reference to it pins the scope, but does not count as a holder.
  class EndEvent final : public Completion {
   public:
    explicit EndEvent(ScopeCore& scope) noexcept : scope_{scope} {}
    ~EndEvent() override = default;
    bool add_callback(Callback& callback) override;
    [[nodiscard]] std::string info() const override { return scope_.info(); }
    [[nodiscard]] std::string describe() const override { return scope_.describe(); }

   private:
    void host_retain() noexcept override { scope_.pin(); }
    void host_release() noexcept override { scope_.unpin(); }
    [[nodiscard]] void* host_object() const noexcept override { return scope_.host_object(); }
    [[nodiscard]] Outcome outcome() const override;
    ScopeCore& scope_;
  };
  ~ScopeCore() override;

  [[noreturn, gnu::cold]] void refuse_to_admit();
  void refuse_own_members(const Scheduler& scheduler) const;
  void update_counts() noexcept {
    if (is_busy() != counted_busy_ || is_inhabited() != counted_inhabited_) update_ancestors();
  }
  void update_ancestors() noexcept;
  ScopeCore* update_parent() noexcept;
  using End = void (ScopeCore::*)(const ScopeEnd& why) noexcept;
  void end_tree(const ScopeEnd& why, End end) noexcept;
  void cancel_members(const ScopeEnd& why) noexcept;
  void leave_members(const ScopeEnd& why) noexcept;
  /// Spawns a coroutine of the runtime's own, in a child scope, because this scope is closed.
  void spawn_below(const char* name, Function<void()> body);
  void run_finally() noexcept;
  void free_if_unused() noexcept;
  [[nodiscard]] ScopeCore* parent_scope() const noexcept { return above_; }
  bool handle_of_child(CoroutineBase& coroutine, const std::exception_ptr& error) noexcept;
  bool handle_later(CoroutineBase& coroutine, const std::exception_ptr& error,
                    bool from_child) noexcept;
  void handle(const AnyCoroutine& coroutine, std::exception_ptr error, bool from_child);
  bool escalate(CoroutineBase& coroutine, const std::exception_ptr& error) noexcept;
  bool give_to_waiters(const std::exception_ptr& error) noexcept;
  [[nodiscard]] bool is_event_awaited() const noexcept {
    return over_ != nullptr && !over_->is_closed() && over_->subscribers() > 0;
  }
  bool leave_to_event() noexcept;
  void notify_end_waiters() noexcept;
  [[nodiscard]] bool is_over() const noexcept { return (closed_ || cancelled_) && !is_busy(); }
  /// Completes the event, if there is one and the scope is over.
  void complete_if_over() noexcept {
    if (over_ != nullptr && is_over()) [[unlikely]]
      complete_event();
  }
  void complete_event() noexcept;

  friend class detail::ListAccess;
  std::uint32_t holders_ = 1;  // references of users; a host's object counts as one
  HostScope* host_ = nullptr;  // counts the references instead
  std::uint32_t pins_ = 0;     // by children, and by failures that are not handled yet
  std::size_t active_ = 0;     // coroutines that are no zombies
  std::size_t busy_children_ = 0;
  std::size_t inhabited_children_ = 0;
  bool counted_busy_ = false;  // as counted by the parent
  bool counted_inhabited_ = false;
  bool closed_ = false;
  bool cancelled_ = false;
  bool held_by_members_ = false;  // the members count as one holder
  std::uint64_t runtime_;         // its runtime, which it may outlive
  ScopeCore* above_;  // the parent; null if that is the main scope, which is no ScopeCore
  detail::SlimList<ScopeCore> children_;
  detail::ListLinks<ScopeCore> list_links_;  // among the children of the parent
  WaitList completion_;
  WaitList end_;
  std::size_t waiting_for_end_ = 0;
  std::list<std::exception_ptr> errors_at_the_end_;
  ScopeFailureSink* failure_sink_ = nullptr;
  const char* failure_text_ = "";
  std::shared_ptr<ExceptionHandler> handler_;
  std::shared_ptr<ExceptionHandler> child_handler_;
  std::vector<Function<void(Scope&)>> finally_handlers_;
  std::unique_ptr<Disposal> disposal_;
  detail::ChannelBindings channels_;
  Origin origin_;
  std::exception_ptr cause_;        // the error it was cancelled with, if any
  std::exception_ptr failure_;      // the first that no handler took
  bool owes_the_failure_ = false;   // only the waiters of the event can still take it
  std::unique_ptr<EndEvent> over_;  // made when first asked for
};

}  // namespace weft
