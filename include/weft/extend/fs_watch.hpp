#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <memory>
#include <string>

#include "weft/extend/loop_event.hpp"
#include "weft/file_change.hpp"

namespace weft {

class WatchTree;

/// Notifies of every change of a file, or in a directory; the outcome's value is a FileChange.
/// Watches only while it is started, and misses changes between two waits: for a loop use
/// FileWatcher, which does not.
///
/// If recursive, it watches every directory below, at most `max_directories` (then with a warning).
/// New directories are watched from then on; what is already in them is reported as renamed,
/// perhaps twice. Symbolic links are not followed.
class FileWatchEvent final : public LoopEvent {
 public:
  /// No more directories than these are watched below one path.
  static constexpr std::size_t max_directories = 8'192;

  /// Starting it throws std::system_error if there is no such path. A relative path is resolved in
  /// the working directory at construction.
  explicit FileWatchEvent(std::string path, bool recursive = false);
  ~FileWatchEvent() override;

  /// Stops watching permanently; waiters are notified without a value.
  void close() noexcept;

  /// What is watched.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Whether directories below it are watched too.
  [[nodiscard]] bool is_recursive() const noexcept { return recursive_; }
  /// The last change it notified.
  [[nodiscard]] const FileChange& last() const noexcept { return last_; }
  /// How many directories, or single files, are watched now.
  [[nodiscard]] std::size_t watched() const noexcept;
  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override;

 private:
  friend class WatchTree;
  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void report(FileChange change) noexcept;

  std::string path_;
  std::string root_;                 // the same, absolute
  std::unique_ptr<WatchTree> tree_;  // while it is armed
  FileChange last_;
  bool recursive_;
};

}  // namespace weft
