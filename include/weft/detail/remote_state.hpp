#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "weft/extend/future_state.hpp"
#include "weft/extend/origin.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"
#include "weft/result.hpp"
#include "weft/trigger.hpp"

namespace weft::detail {

/// The state that the writer on one thread and the reader on another share, for any type of value.
class RemoteBox {
 public:
  RemoteBox() noexcept = default;
  virtual ~RemoteBox();
  RemoteBox(const RemoteBox&) = delete;
  RemoteBox& operator=(const RemoteBox&) = delete;

  // The writer's side.

  /// Claims the right to write. Throws MisuseError if it was written already, or on a third thread.
  void begin_write();
  void undo_write() noexcept;
  /// Notifies the reader that the outcome is in the box.
  void publish() noexcept;
  void publish_error(std::exception_ptr error) noexcept;
  /// The writer is destroyed; if it has not written, the reader gets BrokenPromise.
  void abandon() noexcept;
  void on_cancel(Function<void()> handler);
  [[nodiscard]] bool is_cancel_requested() const noexcept { return cancel_requested_.load(); }
  /// Binds the writer to this thread. Throws MisuseError if it belongs to another one already.
  void bind_writer();

  // The reader's side.

  [[nodiscard]] bool is_home() const noexcept { return home_ == std::this_thread::get_id(); }
  void attach(Trigger* trigger) noexcept;
  [[nodiscard]] bool is_published() const noexcept;
  /// Tells the writer that the outcome is no longer wanted.
  void request_cancel() noexcept;

  void* reader = nullptr;    ///< the state of the futures, on the home thread only
  std::exception_ptr error;  ///< belongs to the writer until it is published, then to the reader

 private:
  mutable std::mutex mutex_;
  Trigger* trigger_ = nullptr;  // of the reader; leaves under the lock
  Function<void()> on_cancel_;
  bool written_ = false;
  bool published_ = false;
  std::atomic<bool> cancel_requested_{false};
  const std::thread::id home_ = std::this_thread::get_id();
  std::thread::id away_;  // the thread of the writer
};

template <class T>
class TypedRemoteBox final : public RemoteBox {
 public:
  TypedRemoteBox() noexcept = default;
  ~TypedRemoteBox() override = default;
  std::optional<typename Result<T>::Stored> value;  ///< belongs to the same side as `error`
};

/// The trigger through which another thread completes a future. Deadlock detection counts it only
/// while a coroutine waits.
class RemoteTrigger {
 public:
  explicit RemoteTrigger(Callback& arrival);
  ~RemoteTrigger();
  RemoteTrigger(const RemoteTrigger&) = delete;
  RemoteTrigger& operator=(const RemoteTrigger&) = delete;

  [[nodiscard]] Trigger* trigger() const noexcept { return trigger_.get(); }
  void add_waiter();
  void drop_waiter() noexcept;
  /// It will not be fired again.
  void close() noexcept;
  [[nodiscard]] bool was_awaited() const noexcept { return awaited_; }

 private:
  Ref<Trigger> trigger_;
  Callback& arrival_;
  unsigned waiters_ = 0;
  bool awaited_ = false;
};

/// What completes a remote future.
enum class RemoteKind : std::uint8_t {
  promise,  ///< the holder of a RemotePromise
  thread,   ///< a thread with a runtime of its own
  task,     ///< a worker of a pool
};

/// The info() of a remote future.
[[nodiscard]] std::string remote_info(RemoteKind kind, const Origin& origin, bool completed);

[[nodiscard]] std::string describe_remote(RemoteKind kind, const Origin& origin, bool completed);

/// Holds `event` until it is forgotten or this thread's runtime ends.
void keep_with_runtime(Event& event);

void forget_with_runtime(Event& event) noexcept;

/// A future whose value comes from another thread.
template <class T>
class RemoteState final : public FutureState<T> {
 public:
  RemoteState(std::shared_ptr<TypedRemoteBox<T>> box, Place place, RemoteKind kind)
      : FutureState<T>{place}, box_{std::move(box)}, origin_{place}, kind_{kind} {
    this->set(Event::passive_flag, false);
    box_->reader = this;
    box_->attach(remote_trigger_.trigger());
  }

  /// Deadlock detection counts it from the first start to the last stop.
  bool start() override {
    if (this->is_closed()) return true;
    remote_trigger_.add_waiter();
    this->add_loop_reference();
    return true;
  }
  bool stop() noexcept override {
    if (this->loop_references() == 0) return true;
    this->drop_loop_reference();
    remote_trigger_.drop_waiter();
    return true;
  }
  bool remove_callback(Callback& callback) noexcept override {
    const bool removed = FutureState<T>::remove_callback(callback);
    // A cancelled coroutine was the last waiter: the outcome is no longer wanted.
    if (removed && !this->is_closed() && this->subscribers() == 0 && !linked_ &&
        was_cancelled(callback)) {
      box_->request_cancel();
    }
    return removed;
  }
  [[nodiscard]] std::string info() const override {
    return remote_info(kind_, origin_, this->is_closed());
  }
  [[nodiscard]] std::string describe() const override {
    return describe_remote(kind_, origin_, this->is_closed());
  }

 protected:
  ~RemoteState() override {
    box_->attach(nullptr);
    box_->reader = nullptr;
  }
  void linked() override {
    if (linked_) return;
    remote_trigger_.add_waiter();
    linked_ = true;
    keep_with_runtime(*this);  // the writer holds no reference, and the chain must run
  }
  void notified(const Outcome& outcome) noexcept override {
    remote_trigger_.close();
    FutureState<T>::notified(outcome);
    if (linked_) forget_with_runtime(*this);
  }
  void unwanted() noexcept override {
    const bool ignored = this->has(Event::error_caught_flag);
    if (this->has_readers() || (remote_trigger_.was_awaited() && !ignored)) box_->request_cancel();
  }

 private:
  class Arrival final : public Callback {
   public:
    explicit Arrival(RemoteState& state) noexcept : state_{state} {}
    ~Arrival() override = default;
    void on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept override {
      state_.load();
    }

   private:
    RemoteState& state_;
  };

  static bool was_cancelled(Callback& callback) noexcept {
    const auto* waiting = dynamic_cast<Subscription*>(&callback);
    return waiting != nullptr && waiting->coroutine() != nullptr &&
           waiting->coroutine()->is_cancellation_requested();
  }
  /// Takes the outcome out of the box.
  void load() noexcept {
    if (this->is_closed() || !box_->is_published()) return;
    const Ref<RemoteState> keep{this};
    try {
      if (box_->error != nullptr) {
        this->fail(std::exchange(box_->error, nullptr), Place{});
      } else if (!box_->value) {
        throw MisuseError{"The outcome of this promise was destroyed together with its futures"};
      } else if constexpr (std::is_void_v<T>) {
        this->complete(Place{});
      } else if constexpr (std::is_reference_v<T>) {
        this->complete(Place{}, **box_->value);
      } else {
        this->complete(Place{}, std::move(*box_->value));
      }
    } catch (...) {  // what moving the value threw
      this->fail(std::current_exception(), Place{});
    }
    box_->value.reset();
  }

  std::shared_ptr<TypedRemoteBox<T>> box_;
  Arrival arrival_{*this};
  RemoteTrigger remote_trigger_{arrival_};
  Origin origin_;
  RemoteKind kind_;
  bool linked_ = false;
};

}  // namespace weft::detail
