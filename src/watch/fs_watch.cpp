#include "weft/extend/fs_watch.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "reactor/reactor.hpp"
#include "watch/watch_tree.hpp"

namespace weft {
namespace {

/// `path` itself if the working directory is unknown.
std::string absolute(const std::string& path) {
  if (path.empty()) return path;
  std::error_code unknown;
  const std::filesystem::path found = std::filesystem::absolute(path, unknown);
  return unknown ? path : found.string();
}

}  // namespace

FileWatchEvent::FileWatchEvent(std::string path, bool recursive)
    : path_{std::move(path)}, root_{absolute(path_)}, recursive_{recursive} {}

FileWatchEvent::~FileWatchEvent() {
  fail_waiters();
  stop_all();
}

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
