#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Blocking calls of other libraries suspend the calling coroutine instead of the thread. Linux/ELF;
// in the library weft::bridge.
namespace weft::bridge {

/// Kinds of calls, to be combined with `|`.
enum Family : unsigned {
  waiting = 1U << 0U,             ///< poll, ppoll, select, pselect, epoll_wait
  connecting = 1U << 1U,          ///< connect, accept
  transfer = 1U << 2U,            ///< read, write, recv, send and their relatives, sendfile
  sleeping = 1U << 3U,            ///< sleep, usleep, nanosleep, clock_nanosleep
  children = 1U << 4U,            ///< wait, waitpid, waitid, popen, pclose
  names = 1U << 5U,               ///< getaddrinfo, getnameinfo, gethostby..., res_...
  locks = 1U << 6U,               ///< flock, lockf, and locks of fcntl
  signals = 1U << 7U,             ///< sigaction, signal: a handler interrupts waits
  all_families = (1U << 8U) - 1,  ///< the default
};

/// What install() patches.
struct Options {
  /// What is bridged. Calls that close descriptors, change their mode, load libraries or fork are
  /// watched in any case.
  unsigned families = all_families;
  /// Objects to leave alone, by the beginning of their file name: "libfoo". Besides those that must
  /// not be patched: libc, the loader, libuv, the resolver's modules, the C++ runtime, sanitizers.
  std::vector<std::string> leave_alone = {};
  /// Also calls that the program itself makes.
  bool program = true;
  /// Watches mutexes, read-write locks, pthread_once() and the initialisation of static variables,
  /// to find a library that holds one across a call: a warning names the coroutine that waits with
  /// a lock, and the place where it was locked. A coroutine that wants this lock is named too, and
  /// waits for the holder; without this option it blocks the thread for ever. Each lock in a
  /// coroutine costs some ns.
  bool detect_locks = false;
};

/// Patches all loaded objects, and those that dlopen() loads later. A call outside a coroutine
/// stays what it was. The second call only takes over `options`, with their families, for objects
/// that are not patched yet.
void install(Options options = {});
/// Takes all patches back. Calls that wait now end as they would have.
void uninstall() noexcept;
/// Patches objects that were loaded since, in a way that the bridge could not see. Returns how many
/// slots it patched.
std::size_t rescan();
/// Whether the bridge is installed.
[[nodiscard]] bool is_installed() noexcept;

/// What was patched.
struct Report {
  /// A library, or the program.
  struct Object {
    std::string name;                ///< its path; "the program" for the program itself
    std::vector<std::string> calls;  ///< one entry for each slot
  };
  /// Those that were patched.
  std::vector<Object> objects = {};
  /// How many slots were patched, in all objects.
  [[nodiscard]] std::size_t slots() const noexcept;
  /// A line for each object.
  [[nodiscard]] std::string text() const;
};
/// What is patched now.
[[nodiscard]] Report report();

/// While it lives, hooked calls of this thread block as usual: for code that must not be suspended,
/// such as a library that holds a lock of the thread across a call.
class Direct {
 public:
  Direct() noexcept;
  ~Direct();
  Direct(const Direct&) = delete;
  Direct& operator=(const Direct&) = delete;
};

/// As SO_RCVTIMEO, for what is no socket: a hooked read() of a pipe or a terminal that has waited
/// for `timeout` fails with EAGAIN, on this thread. Zero: it waits for as long as it takes. Holds
/// until the descriptor is closed.
void set_read_timeout(int descriptor, std::chrono::nanoseconds timeout);
/// Whether the last hooked read() of `descriptor` ended because of set_read_timeout().
[[nodiscard]] bool has_read_timed_out(int descriptor) noexcept;

/// A call that failed with EBUSY, because another coroutine waits in the same direction on the same
/// descriptor.
struct Refusal {
  int descriptor = -1;        ///< the one that both wait for
  std::uint64_t waiter = 0;   ///< id of the coroutine that waits
  std::uint64_t refused = 0;  ///< id of the coroutine that was refused
  std::string text = {};      ///< names both
};
/// The last one of this thread.
[[nodiscard]] Refusal last_refusal();

}  // namespace weft::bridge
