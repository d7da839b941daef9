#pragma once

#include <cstddef>
#include <list>
#include <string_view>
#include <unordered_map>

#include "weft/extend/fs_watch.hpp"

namespace weft {

/// Changes of files that nobody has taken yet, oldest first. Bounded: too many become one.
class ChangeBuffer {
 public:
  /// One change, or none; a node of the list, so that handing it back needs no memory.
  using Taken = std::list<FileChange>;

  /// `raw` keeps every change, otherwise those of one file are one.
  ChangeBuffer(bool raw, std::size_t limit) noexcept : limit_{limit}, raw_{raw} {}

  /// Without memory for it, all become one.
  void push(FileChange change) noexcept;
  /// One that was taken in vain becomes the oldest again.
  void hand_back(Taken taken) noexcept;
  /// The oldest; there must be one.
  [[nodiscard]] Taken take() noexcept;
  /// Everything may have changed.
  void collapse() noexcept;
  void clear() noexcept;
  [[nodiscard]] bool is_empty() const noexcept { return changes_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return changes_.size(); }

 private:
  /// Notes the name; without memory for that, the next change of this file stands alone.
  void index(std::list<FileChange>::iterator at) noexcept;

  std::list<FileChange> changes_;
  // Empty if raw. The names lie in the list.
  std::unordered_map<std::string_view, std::list<FileChange>::iterator> by_name_;
  std::size_t limit_;
  bool raw_;
};

}  // namespace weft
