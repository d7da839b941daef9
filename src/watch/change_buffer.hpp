#pragma once

#include <cstddef>
#include <list>
#include <string_view>
#include <unordered_map>

#include "weft/extend/fs_watch.hpp"

namespace weft {

/// Changes of files that were not taken yet, oldest first. Bounded: too many are merged into one.
class ChangeBuffer {
 public:
  /// One change, or none; a node of the list, so that handing it back does not allocate.
  using Taken = std::list<FileChange>;

  /// `raw` keeps every change; otherwise those of one file are merged.
  ChangeBuffer(bool raw, std::size_t limit) noexcept : limit_{limit}, raw_{raw} {}

  /// Without memory for it, all changes are merged into one.
  void push(FileChange change) noexcept;
  /// A change that was taken but not used becomes the oldest again.
  void hand_back(Taken taken) noexcept;
  /// The oldest; there must be one.
  [[nodiscard]] Taken take() noexcept;
  /// Merges all changes into one that says: everything may have changed.
  void collapse() noexcept;
  void clear() noexcept;
  [[nodiscard]] bool is_empty() const noexcept { return changes_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return changes_.size(); }

 private:
  /// Indexes the name; without memory for that, the next change of this file is not merged.
  void index(std::list<FileChange>::iterator at) noexcept;

  std::list<FileChange> changes_;
  // Empty if raw. The keys refer to names in the list.
  std::unordered_map<std::string_view, std::list<FileChange>::iterator> by_name_;
  std::size_t limit_;
  bool raw_;
};

}  // namespace weft
