#pragma once

#include <atomic>
#include <csignal>

namespace weft_test {

/// The present disposition of a signal.
inline struct sigaction disposition(int number) {
  struct sigaction action {};
  ::sigaction(number, nullptr, &action);
  return action;
}

inline bool has_default_action(int number) {
  const struct sigaction action = disposition(number);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

/// A signal handler of the program, installed without weft.
class ForeignHandler {
 public:
  explicit ForeignHandler(int number) : number_{number} {
    calls_ = 0;
    sender_ = 0;
    seen_number_ = 0;
    had_info_ = false;
    struct sigaction action {};
    action.sa_sigaction = &on_signal;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(number, &action, &before_);
  }
  ~ForeignHandler() { ::sigaction(number_, &before_, nullptr); }
  ForeignHandler(const ForeignHandler&) = delete;
  ForeignHandler& operator=(const ForeignHandler&) = delete;

  [[nodiscard]] bool is_installed() const {
    const struct sigaction action = disposition(number_);
    return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &on_signal;
  }
  [[nodiscard]] const struct sigaction& before() const noexcept { return before_; }
  static int calls() noexcept { return calls_; }
  /// The process that sent the last signal.
  static int sender() noexcept { return sender_; }
  static int seen_number() noexcept { return seen_number_; }
  static bool had_info() noexcept { return had_info_; }

 private:
  static void on_signal(int number, siginfo_t* info, void* context) {
    ++calls_;
    had_info_ = info != nullptr && context != nullptr;
    seen_number_ = info != nullptr ? info->si_signo : number;
    sender_ = info != nullptr ? info->si_pid : 0;
  }

  // Lock-free atomics: several threads may be in the signal handler.
  inline static std::atomic<int> calls_ = 0;
  inline static std::atomic<int> sender_ = 0;
  inline static std::atomic<int> seen_number_ = 0;
  inline static std::atomic<bool> had_info_ = false;
  int number_;
  struct sigaction before_ {};
};

}  // namespace weft_test
