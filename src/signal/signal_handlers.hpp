#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <uv.h>

namespace weft {

/// Numbers go from 1 to 64 on Linux.
inline constexpr int signal_limit = 65;

/// Where the native handlers leave what one reactor wants to hear, and knock.
class SignalInbox {
 public:
  /// On the reactor's thread: how often `number` came since the last look.
  std::uint32_t take(int number) noexcept {
    return counts_[static_cast<std::size_t>(number)].exchange(0);
  }
  uv_async_t* async = nullptr;
  /// Whether `number` has its old effect if it comes again before it was taken.
  void end_at_second(int number, bool on) noexcept;

 private:
  friend class SignalHandlers;
  std::array<std::atomic<std::uint32_t>, signal_limit> counts_{};
  std::atomic<std::uint64_t> wanted_{0};  // a bit per number
  std::atomic<std::uint64_t> ending_{
      0};  // a bit per number that ends the process if it comes twice
  std::atomic<SignalInbox*> next_{nullptr};
  bool listed_ = false;  // guarded by the mutex of the handlers
};

/// The native handlers of the process: one per signal number that some reactor wants. Dispositions
/// belong to the process, so this is one of the two things that runtimes share.
///
/// The handler itself takes no lock and allocates nothing. Whoever takes something away from it
/// waits until no handler is looking any more.
class SignalHandlers {
 public:
  /// `inbox` wants to hear `number`: the first one installs the handler. Also puts it back in front
  /// if somebody has replaced it meanwhile. Throws std::system_error.
  static void add(int number, SignalInbox& inbox);
  /// The last one to leave restores what was there before. Afterwards nobody knocks for `number`.
  static void remove(int number, SignalInbox& inbox) noexcept;

  // Around a fork. The child hears nothing: every signal has the disposition it had before weft.
  static void before_fork() noexcept;
  static void after_fork_in_parent() noexcept;
  static void after_fork_in_child() noexcept;

 private:
  static void enlist(SignalInbox& inbox) noexcept;
  static void delist(SignalInbox& inbox) noexcept;
  enum class Heard : std::uint8_t { no, yes, again_unseen };
  static Heard post(int number) noexcept;
  static void on_signal(int number, siginfo_t* info, void* context);
  static bool is_ours(const struct sigaction& action) noexcept;
  static void install(int number);
  static void restore(int number) noexcept;
  static void forward(int number, siginfo_t* info, void* context,
                      const struct sigaction& previous) noexcept;
};

}  // namespace weft
