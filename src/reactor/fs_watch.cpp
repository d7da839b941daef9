#include "weft/fs_watch.hpp"

#include <utility>

#include "reactor/reactor.hpp"
#include "reactor/watch_tree.hpp"

namespace weft {

FileWatchEvent::FileWatchEvent(std::string path, bool recursive)
    : path_{std::move(path)}, recursive_{recursive} {}

FileWatchEvent::~FileWatchEvent() { stop_all(); }

void FileWatchEvent::arm(Reactor& reactor) { tree_ = std::make_unique<WatchTree>(*this, reactor); }

void FileWatchEvent::disarm(Reactor& /*reactor*/) noexcept { tree_.reset(); }

void FileWatchEvent::report(FileChange change) noexcept {
  last_ = std::move(change);
  notify(Outcome::of(last_));
}

void FileWatchEvent::close() noexcept { notify_and_close(); }

bool FileWatchEvent::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = {};
  return true;
}

std::size_t FileWatchEvent::watched() const noexcept {
  return tree_ != nullptr ? tree_->size() : 0;
}

std::string FileWatchEvent::info() const { return "FilesystemWatch(path=" + path_ + ")"; }

}  // namespace weft
