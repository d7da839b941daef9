#include "weft/file_watcher.hpp"

#include <algorithm>

#include "watch/change_buffer.hpp"
#include "weft/await.hpp"
#include "weft/delay.hpp"
#include "weft/error.hpp"
#include "weft/extend/fs_watch.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/timer.hpp"

namespace weft {

/// Lives as long as a coroutine waits for a change, even if its watcher is destroyed.
class FileWatcherCore final : public Event {
 public:
  FileWatcherCore(std::string path, FileWatcherOptions options)
      : options_{std::move(options)},
        watch_{std::move(path), options_.recursive},
        buffer_{options_.raw && options_.debounce == Duration::zero(),
                std::max<std::size_t>(options_.max_buffered, 1)} {
    if (options_.debounce < Duration::zero() || options_.max_hold < Duration::zero()) {
      throw ValueError{"The debounce and the max_hold of a file watcher must be >= 0"};
    }
    if (options_.max_hold > Duration::zero() && options_.debounce == Duration::zero()) {
      throw ValueError{"The max_hold of a file watcher needs a debounce"};
    }
    // It can wake only coroutines that wait for a change: hidden, unless there are some.
    watch_.set_hidden(true);
    quiet_.set_hidden(true);
    watch_.start();
    watch_.add_callback(change_callback_);
    quiet_.add_callback(quiet_callback_);
  }
  ~FileWatcherCore() override { close(); }

  std::optional<FileChange> next(Token token, Place place) {
    const Ref<FileWatcherCore> keep{this};
    cancellation_point();
    if (!buffer_.is_empty()) return std::move(buffer_.take().front());
    if (is_closed()) return {};
    QueuedWaiter waiter;
    const struct Leave {
      FileWatcherCore& core;
      QueuedWaiter& waiter;
      ~Leave() {
        waiter.leave();
        // Not used: the wait was cancelled after the change had been granted.
        if (!core.is_closed()) core.buffer_.hand_back(std::move(waiter.taken));
        core.serve();
      }
    } leave{*this, waiter};
    queue_.push_back(waiter);
    watch_.set_hidden(false);
    waiter.wait("FileWatcher::next()", token, place);
    if (waiter.taken.empty()) return {};
    ChangeBuffer::Taken taken = std::exchange(waiter.taken, {});
    return std::move(taken.front());
  }

  void close() noexcept {
    if (is_closed()) return;
    close_quietly();
    watch_.remove_callback(change_callback_);
    quiet_.remove_callback(quiet_callback_);
    watch_.close();
    quiet_.close();
    buffer_.clear();
    while (queue_.grant_first()) {
    }
  }

  [[nodiscard]] std::size_t buffered() const noexcept { return buffer_.size(); }
  [[nodiscard]] const std::string& path() const noexcept { return watch_.path(); }
  [[nodiscard]] std::string info() const override { return "FileWatcher(path=" + path() + ")"; }

 private:
  class QueuedWaiter final : public Waiter {
   public:
    QueuedWaiter() noexcept : Waiter{"FileWatcher"} {}
    ~QueuedWaiter() override = default;
    ChangeBuffer::Taken taken;
  };
  class ChangeCallback final : public Callback {
   public:
    explicit ChangeCallback(FileWatcherCore& core) noexcept : core_{core} {}
    ~ChangeCallback() override = default;
    void on_notify(Event& /*event*/, const Outcome& outcome) noexcept override {
      core_.on_change(outcome.value<FileChange>());
    }

   private:
    FileWatcherCore& core_;
  };
  class QuietCallback final : public Callback {
   public:
    explicit QuietCallback(FileWatcherCore& core) noexcept : core_{core} {}
    ~QuietCallback() override = default;
    void on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept override {
      core_.on_quiet();
    }

   private:
    FileWatcherCore& core_;
  };

  [[nodiscard]] bool is_wanted(const std::string& name) const noexcept {
    if (name.empty() || options_.extensions.empty()) return true;
    return std::any_of(options_.extensions.begin(), options_.extensions.end(),
                       [&](const std::string& end) { return name.ends_with(end); });
  }

  /// Null: changes were lost.
  void on_change(const FileChange* change) noexcept {
    if (change != nullptr && !is_wanted(change->name)) return;
    if (options_.debounce > Duration::zero()) {
      held_.renamed |= change == nullptr || change->renamed;
      held_.changed |= change == nullptr || change->changed;
      return hold();
    }
    if (change == nullptr) {
      buffer_.collapse();
    } else {
      try {
        buffer_.push(*change);
      } catch (const std::bad_alloc&) {
        buffer_.collapse();
      }
    }
    serve();
  }

  void hold() noexcept {
    const TimePoint present = now();
    if (!std::exchange(holding_, true)) held_since_ = present;
    Duration wait = options_.debounce;
    if (options_.max_hold > Duration::zero()) {
      wait = std::min(wait, after(held_since_, options_.max_hold) - present);
    }
    if (!quiet_.rearm(wait))
      on_quiet();  // no memory for a timer: reports too early rather than never
  }

  void on_quiet() noexcept {
    holding_ = false;
    buffer_.push(std::exchange(held_, {}));
    serve();
  }

  void serve() noexcept {
    while (!buffer_.is_empty() && !queue_.is_empty()) {
      auto& waiter = static_cast<QueuedWaiter&>(*queue_.first());
      waiter.taken = buffer_.take();
      waiter.grant();
    }
    watch_.set_hidden(queue_.is_empty());
  }

  FileWatcherOptions options_;
  FileWatchEvent watch_;
  Timer quiet_ = Timer::multishot(Duration::zero());
  ChangeCallback change_callback_{*this};
  QuietCallback quiet_callback_{*this};
  ChangeBuffer buffer_;
  WaitList queue_;
  FileChange held_;  // held back by debouncing
  TimePoint held_since_{};
  bool holding_ = false;
};

FileWatcher::FileWatcher(std::string path, FileWatcherOptions options)
    : core_{make_ref<FileWatcherCore>(std::move(path), std::move(options))} {}

FileWatcher::~FileWatcher() { core_->close(); }

std::optional<FileChange> FileWatcher::next(Token token, Place place) {
  return core_->next(token, place);
}

void FileWatcher::close() noexcept { core_->close(); }

bool FileWatcher::is_closed() const noexcept { return core_->is_closed(); }

std::size_t FileWatcher::buffered() const noexcept { return core_->buffered(); }

const std::string& FileWatcher::path() const noexcept { return core_->path(); }

}  // namespace weft
