#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <optional>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "bridge/children.hpp"
#include "bridge/facts.hpp"
#include "bridge/forking.hpp"
#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/thread_state.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/bridge_host.hpp"

// popen() of libc hides its child, and pclose() and system() wait inside libc: they are written
// anew.
namespace weft::bridge {
namespace {

/// The child of a popen(), and its stream, which may have been closed unseen.
struct Command {
  FILE* stream;
  int descriptor;
  pid_t child;
};

/// The children of popen(), by their stream, and those that pclose() was cancelled for.
class Commands {
 public:
  /// Never destroyed: handlers of exit() may close streams.
  static Commands& all() {
    static Commands& one = *new Commands;
    return one;
  }
  /// Throws std::bad_alloc.
  void add(FILE* stream, pid_t child) {
    const ForkableLock lock{mutex_};
    commands_.push_back({stream, ::fileno(stream), child});
    has_any_.store(true, std::memory_order_relaxed);
  }
  /// Calls `visit` with the descriptor of each stream.
  template <class Visit>
  void for_each_stream(Visit visit) {
    const ForkableLock lock{mutex_};
    for (const Command& command : commands_) visit(command.descriptor);
  }
  /// 0 if it is none of ours.
  pid_t take(const FILE* stream) noexcept {
    if (!has_any_.load(std::memory_order_relaxed)) return 0;
    const ForkableLock lock{mutex_};
    const auto found = std::find_if(commands_.begin(), commands_.end(),
                                    [&](const Command& one) { return one.stream == stream; });
    if (found == commands_.end()) return 0;
    const pid_t child = found->child;
    commands_.erase(found);
    has_any_.store(!commands_.empty(), std::memory_order_relaxed);
    return child;
  }
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }
  void leave(pid_t child) noexcept {
    const ForkableLock lock{mutex_};
    try {
      left_.push_back(child);
    } catch (...) {  // no memory: it stays a zombie
    }
  }
  void collect_left() noexcept {
    const ForkableLock lock{mutex_};
    std::erase_if(left_, [](pid_t child) { return real.waitpid(child, nullptr, WNOHANG) != 0; });
  }

 private:
  std::mutex mutex_;
  std::vector<Command> commands_;
  std::atomic<bool> has_any_{false};  // asked at each fclose()
  std::vector<pid_t> left_;
};

/// Starts a shell. `from`, if there is one, is the standard descriptor `to` of it, and the streams
/// of other commands are closed there: such a command would not see the end of its input otherwise.
/// Signals in `by_default` do there what they do by default.
pid_t start_command(const char* command, int from, int to, const sigset_t* by_default) noexcept {
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return -1;
  if (from >= 0) {
    Commands::all().for_each_stream(
        [&](int stream) { ::posix_spawn_file_actions_addclose(&actions, stream); });
    ::posix_spawn_file_actions_adddup2(&actions, from, to);
  }
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  if (by_default != nullptr) {
    ::posix_spawnattr_setsigdefault(&attributes, by_default);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  }
  char shell[] = "sh";
  char flag[] = "-c";
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the child has a copy
  char* arguments[] = {shell, flag, const_cast<char*>(command), nullptr};
  pid_t child = -1;
  const int error = ::posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return child;
  errno = error;
  return -1;
}

FILE* hooked_popen(const char* command, const char* mode) {
  if (!may_suspend()) return real.popen(command, mode);
  Commands::all().collect_left();
  const std::string_view wanted{mode};
  const bool reads = wanted.find('r') != wanted.npos;
  const bool writes = wanted.find('w') != wanted.npos;
  if (reads == writes || wanted.find_first_not_of("rwe") != wanted.npos) {
    errno = EINVAL;
    return nullptr;
  }
  int both[2];
  if (real.pipe2(both, O_CLOEXEC) != 0) return nullptr;
  next_generation(both[0]);
  next_generation(both[1]);
  const int mine = both[reads ? 0 : 1];
  const int of_child = both[reads ? 1 : 0];
  const int standard = reads ? STDOUT_FILENO : STDIN_FILENO;
  const pid_t child = start_command(command, of_child, standard, nullptr);
  const int error = errno;
  number_changes(of_child);
  real.close(of_child);
  FILE* const stream = child > 0 ? ::fdopen(mine, reads ? "r" : "w") : nullptr;
  if (stream != nullptr) {
    if (wanted.find('e') == wanted.npos) real.fcntl(mine, F_SETFD, 0);
    try {
      Commands::all().add(stream, child);
      return stream;
    } catch (const std::bad_alloc&) {
      number_changes(mine);
      real.fclose(stream);
      Commands::all().leave(child);
      errno = ENOMEM;
      return nullptr;
    }
  }
  number_changes(mine);
  real.close(mine);
  if (child > 0) Commands::all().leave(child);
  errno = error;
  return nullptr;
}

/// The status with which a command has ended; -1 if the wait was cancelled, which leaves the child.
int status_of(const char* function, pid_t child) {
  int status = 0;
  pid_t ended = 0;
  do {
    ended = may_suspend() ? wait_for_child(function, child, &status, 0, nullptr)
                          : real.waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended == child) return status;
  const int error = errno;
  if (error != ECHILD) {
    if (Host* const host = ThreadState::here().host) host->left_behind(child);
    Commands::all().leave(child);
  }
  errno = error;
  return -1;
}

/// The signals of the terminal are for the command while it runs: from the first of several
/// commands to the last one, the program ignores them. SIGCHLD, which the real call blocks, is not
/// touched: other coroutines of the thread may wait for it.
class TerminalSignals {
 public:
  TerminalSignals() noexcept {
    const ForkableLock lock{mutex_};
    if (users_++ == 0) {
      struct sigaction ignored {};
      ignored.sa_handler = SIG_IGN;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        real.sigaction(numbers[i], &ignored, &before_[i]);
      }
    }
    ::sigemptyset(&of_command_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (before_[i].sa_handler != SIG_IGN) ::sigaddset(&of_command_, numbers[i]);
    }
  }
  ~TerminalSignals() {
    const ForkableLock lock{mutex_};
    if (--users_ > 0) return;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      real.sigaction(numbers[i], &before_[i], nullptr);
    }
  }
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;
  static void lock() noexcept { mutex_.lock(); }
  static void unlock() noexcept { mutex_.unlock(); }
  /// Those that end the command.
  [[nodiscard]] const sigset_t& of_command() const noexcept { return of_command_; }

 private:
  static constexpr std::array numbers = {SIGINT, SIGQUIT};
  static inline std::mutex mutex_;
  static inline unsigned users_ = 0;
  static inline std::array<struct sigaction, numbers.size()> before_{};
  sigset_t of_command_{};
};

}  // namespace

void lock_commands() noexcept {
  Commands::all().lock();
  TerminalSignals::lock();
}

void unlock_commands() noexcept {
  TerminalSignals::unlock();
  Commands::all().unlock();
}

std::optional<int> close_command(const char* function, FILE* stream) {
  const ErrnoBefore before;
  const pid_t child = Commands::all().take(stream);
  if (child == 0) return std::nullopt;
  number_changes(::fileno(stream));
  real.fclose(stream);
  return before.after(status_of(function, child));
}

namespace {

int hooked_pclose(FILE* stream) {
  const std::optional<int> status = close_command("pclose", stream);
  return status ? *status : real.pclose(stream);
}

int hooked_system(const char* command) {
  if (!may_suspend() || command == nullptr) return real.system(command);
  const ErrnoBefore before;
  Commands::all().collect_left();
  const TerminalSignals signals;
  const pid_t child = start_command(command, -1, -1, &signals.of_command());
  if (child <= 0) return W_EXITCODE(127, 0);  // as a shell that is missing
  return before.after(status_of("system", child));
}

}  // namespace

void add_commands(Hooks& hooks) {
  hooks.push_back(hook("popen", outside<&hooked_popen, &Real::popen>, real.popen, children));
  hooks.push_back(hook("pclose", &hooked_pclose, real.pclose, children));
  hooks.push_back(hook("system", outside<&hooked_system, &Real::system>, real.system, children));
}

}  // namespace weft::bridge
