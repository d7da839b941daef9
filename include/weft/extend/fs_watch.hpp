#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "weft/extend/loop_event.hpp"

namespace weft {

class WatchTree;

/// Something happened to a file.
struct FileChange {
  /// Relative to what is watched. Empty: unknown, or it is what is watched itself.
  std::string name = {};
  /// It appeared, went, or has another name.
  bool renamed = false;
  /// Its contents or attributes are others.
  bool changed = false;

  friend bool operator==(const FileChange&, const FileChange&) = default;
};

/// Tells of every change of a file, or of what is in a directory; the outcome's value is a
/// FileChange. Watches while it is started and hears nothing in between: FileWatcher, which does,
/// is the better choice for a loop.
///
/// A recursive one watches one by one the directories below, at most `max_directories` (then there
/// is a warning). Directories that appear are watched from then on; what is already in them is told
/// as renamed, perhaps twice. Symbolic links are not followed.
class FileWatchEvent final : public LoopEvent {
 public:
  static constexpr std::size_t max_directories = 8'192;

  /// Starting it throws std::system_error if there is no such path. A relative one is looked up
  /// from the working directory of now, whatever that is later.
  explicit FileWatchEvent(std::string path, bool recursive = false);
  ~FileWatchEvent() override;

  /// Stops watching for good; whoever waits is told, without a value.
  void close() noexcept;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool is_recursive() const noexcept { return recursive_; }
  /// What it told last.
  [[nodiscard]] const FileChange& last() const noexcept { return last_; }
  /// How many directories, or single files, are watched just now.
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
