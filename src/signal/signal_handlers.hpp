#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <uv.h>

namespace weft {

/// Numbers go from 1 to 64 on Linux.
inline constexpr int signal_limit = 65;

/// Counts the signals that one reactor waits for. The native handlers write it and wake the loop.
class SignalInbox {
 public:
  /// On the reactor's thread: how often `number` has arrived since the last call.
  std::uint32_t take(int number) noexcept {
    return counts_[static_cast<std::size_t>(number)].exchange(0);
  }
  uv_async_t* async = nullptr;
  /// Whether `number` has its previous effect if it arrives again before it was taken.
  void end_at_second(int number, bool on) noexcept;

 private:
  friend class SignalHandlers;
  std::array<std::atomic<std::uint32_t>, signal_limit> counts_{};
  std::atomic<std::uint64_t> wanted_{0};  // a bit per number
  std::atomic<std::uint64_t> ending_{
      0};  // a bit per number that ends the process if it comes twice
  // No IntrusiveList: a signal handler walks the list without a lock.
  std::atomic<SignalInbox*> next_{nullptr};
  bool listed_ = false;  // guarded by the mutex of the handlers
};

/// The native handlers of the process: one per signal number that a reactor wants. Dispositions
/// belong to the process, so this is one of the two things that runtimes share.
///
/// The handler itself takes no lock and allocates nothing. A function that removes something waits
/// until no handler reads it any more.
class SignalHandlers {
 public:
  /// `inbox` wants `number`: the first one installs the handler. Also installs it again if the
  /// program has replaced it meanwhile. Throws std::system_error.
  static void add(int number, SignalInbox& inbox);
  /// The last one restores the previous disposition. Afterwards no handler writes to `inbox`.
  static void remove(int number, SignalInbox& inbox) noexcept;

  // Around a fork. In the child every signal has the disposition that it had before weft.
  static void before_fork() noexcept;
  static void after_fork_in_parent() noexcept;
  static void after_fork_in_child() noexcept;

 private:
  static void enlist(SignalInbox& inbox) noexcept;
  static void delist(SignalInbox& inbox) noexcept;
  enum class Delivery : std::uint8_t { no, yes, again_unseen };
  static Delivery post(int number) noexcept;
  static void on_signal(int number, siginfo_t* info, void* context);
  static bool is_ours(const struct sigaction& action) noexcept;
  static void install(int number);
  static void restore(int number) noexcept;
  static void forward(int number, siginfo_t* info, void* context,
                      const struct sigaction& previous) noexcept;
};

}  // namespace weft
