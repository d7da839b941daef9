#include "watch/change_buffer.hpp"

#include <new>
#include <utility>

#include "base/probe.hpp"

namespace weft {
namespace {

void merge_change(FileChange& into, const FileChange& from) noexcept {
  into.renamed |= from.renamed;
  into.changed |= from.changed;
}

}  // namespace

void ChangeBuffer::index(std::list<FileChange>::iterator at) noexcept {
  if (raw_) return;
  try {
    by_name_.emplace(at->name, at);
  } catch (const std::bad_alloc&) {
    WEFT_PROBE("file change not indexed for want of memory");
  }
}

void ChangeBuffer::push(FileChange change) noexcept {
  if (const auto known = by_name_.find(change.name); known != by_name_.end()) {
    return merge_change(*known->second, change);
  }
  if (changes_.size() >= limit_ && !changes_.empty()) return collapse();
  try {
    changes_.push_back(std::move(change));
  } catch (const std::bad_alloc&) {
    return collapse();
  }
  index(std::prev(changes_.end()));
}

void ChangeBuffer::hand_back(Taken taken) noexcept {
  if (taken.empty()) return;
  if (const auto known = by_name_.find(taken.front().name); known != by_name_.end()) {
    merge_change(*known->second, taken.front());
    changes_.splice(changes_.begin(), changes_, known->second);
    return;
  }
  changes_.splice(changes_.begin(), taken);
  index(changes_.begin());
}

ChangeBuffer::Taken ChangeBuffer::take() noexcept {
  const auto first = changes_.begin();
  if (const auto known = by_name_.find(first->name);
      known != by_name_.end() && known->second == first) {
    by_name_.erase(known);
  }
  Taken taken;
  taken.splice(taken.begin(), changes_, first);
  return taken;
}

void ChangeBuffer::collapse() noexcept {
  WEFT_PROBE("file changes collapsed");
  by_name_.clear();
  if (changes_.empty()) {
    try {
      changes_.emplace_back();
    } catch (const std::bad_alloc&) {
      return;  // no memory even for that
    }
  }
  changes_.erase(std::next(changes_.begin()), changes_.end());
  changes_.front().name.clear();
  changes_.front().renamed = changes_.front().changed = true;
  index(changes_.begin());
}

void ChangeBuffer::clear() noexcept {
  by_name_.clear();
  changes_.clear();
}

}  // namespace weft
