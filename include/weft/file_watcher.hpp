#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/file_change.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {

class FileWatcherCore;

/// How a FileWatcher reports changes.
struct FileWatcherOptions {
  /// Watch subdirectories too; see FileWatchEvent.
  bool recursive = false;
  /// Report every change on its own. Otherwise changes of one file are merged until they are taken.
  bool raw = false;
  /// If above 0: report one change without a name once this much time has passed without a change.
  Duration debounce = {};
  /// If above 0: with `debounce`, report at most this long after the first change.
  Duration max_hold = {};
  /// If not empty: only report files whose name ends in one of these: {".cpp", ".hpp"}.
  std::vector<std::string> extensions = {};
  /// If more changes than this wait to be taken, one without a name replaces them.
  std::size_t max_buffered = 65'536;
};

/// Watches a file or a directory from construction to destruction, and queues the changes until
/// taken: `for (const FileChange& change : FileWatcher{"src", {.recursive = true}})`. Several
/// coroutines may take from one watcher; each change goes to one of them, the longest waiting
/// first.
///
/// To follow a file that other programs replace, watch its directory: a new file under the old name
/// is another file.
class FileWatcher {
 public:
  /// Begins to watch. Throws std::system_error if there is no such path, ValueError for durations
  /// below 0 and a `max_hold` without `debounce`, and MisuseError outside a runtime.
  explicit FileWatcher(std::string path, FileWatcherOptions options = {});
  ~FileWatcher();
  FileWatcher(const FileWatcher&) = delete;
  FileWatcher& operator=(const FileWatcher&) = delete;

  /// Suspends until there is a change; nothing after close(). Throws Cancelled, and, when `token`
  /// fires first, TimedOut for a timeout, otherwise OperationCancelled.
  [[nodiscard]] std::optional<FileChange> next(Token token = {}, Place place = Place::here());
  /// Ends the watch: waiting next() calls return nothing, changes that were not taken are dropped.
  void close() noexcept;
  /// Whether the watch has ended: no more changes are reported.
  [[nodiscard]] bool is_closed() const noexcept;
  /// How many changes wait to be taken.
  [[nodiscard]] std::size_t buffered() const noexcept;
  /// What is watched.
  [[nodiscard]] const std::string& path() const noexcept;

  class Iterator;
  /// Suspends, as each step does, until there is a change; the loop ends with close(), and when its
  /// coroutine is cancelled.
  [[nodiscard]] Iterator begin(Place place = Place::here());
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  Ref<FileWatcherCore> core_;
};

/// Iterates over the changes as they come.
class FileWatcher::Iterator {
 public:
  using value_type = FileChange;
  using difference_type = std::ptrdiff_t;
  using reference = const FileChange&;

  /// Suspends until there is a first change.
  Iterator(FileWatcher& watcher, Place place) : watcher_{&watcher}, place_{place} { ++*this; }
  const FileChange& operator*() const noexcept { return *change_; }
  const FileChange* operator->() const noexcept { return &*change_; }
  Iterator& operator++() {
    change_ = watcher_->next({}, place_);
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const Iterator& a, std::default_sentinel_t /*end*/) noexcept {
    return !a.change_;
  }

 private:
  FileWatcher* watcher_;
  std::optional<FileChange> change_;
  Place place_;
};

inline FileWatcher::Iterator FileWatcher::begin(Place place) { return Iterator{*this, place}; }

}  // namespace weft
