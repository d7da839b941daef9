#include "watch/watch_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <dirent.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "reactor/reactor.hpp"
#include "reactor/standard_descriptors.hpp"
#include "weft/extend/fs_watch.hpp"

namespace weft {

struct WatchTree::Node {
  Node(WatchTree& of, std::string at) : tree{of}, path{std::move(at)} {}
  WatchTree& tree;
  std::string path;
  UvHandle<uv_fs_event_t> handle;
};

namespace {

/// A symbolic link is none.
bool is_directory(const std::string& path) noexcept {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool exists(const std::string& path) noexcept {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

std::string below(const std::string& directory, const std::string& name) {
  return directory.empty() ? name : directory + "/" + name;
}

std::string last_part(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

struct Entry {
  std::string name;
  bool directory;
};

/// Sorted by name; empty if the directory is gone or not readable.
std::vector<Entry> entries_of(const std::string& directory) {
  const struct Listing {
    DIR* stream;
    ~Listing() {
      if (stream != nullptr) ::closedir(stream);
    }
  } listing{::opendir(directory.c_str())};
  std::vector<Entry> entries;
  if (listing.stream == nullptr) return entries;
  while (const dirent* entry = ::readdir(listing.stream)) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    bool is_one = entry->d_type == DT_DIR;
    if (entry->d_type == DT_UNKNOWN) is_one = is_directory(below(directory, name));
    entries.push_back({std::move(name), is_one});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace

WatchTree::WatchTree(FileWatchEvent& event, Reactor& reactor)
    : event_{event}, reactor_{reactor}, root_{event.root_} {
  if (event.path().find('\0') != std::string::npos) {
    throw std::system_error{EINVAL, std::generic_category(), "watch " + event.path()};
  }
  fill_standard_descriptors();  // libuv opens a descriptor for its watches
  watch("");
  if (event.is_recursive()) add("", nullptr);
}

WatchTree::~WatchTree() = default;

std::string WatchTree::full(const std::string& path) const {
  return path.empty() ? root_ : root_ + "/" + path;
}

void WatchTree::watch(const std::string& path) {
  auto node = std::make_unique<Node>(*this, path);
  const std::string place = full(path);
  const std::string what = "watch " + event_.path() + (path.empty() ? "" : "/" + path);
  node->handle.open(
      [&](uv_fs_event_t* handle) {
        handle->data = node.get();
        return uv_fs_event_init(&reactor_.loop(), handle);
      },
      what.c_str());
  const int status = uv_fs_event_start(
      node->handle.get(),
      [](uv_fs_event_t* handle, const char* name, int events, int result) {
        on_change(handle, name, events, result);
      },
      place.c_str(), 0);
  if (status != 0) throw std::system_error{-status, std::generic_category(), what};
  nodes_[path] = std::move(node);
}

void WatchTree::add(const std::string& directory, std::vector<std::string>* found) {
  // The old watches are dropped after the new ones are made: a watch that both share stays, and
  // loses no change.
  const Nodes before = directory.empty() ? Nodes{} : take(directory);
  std::deque<std::string> line{directory};
  for (; !line.empty(); line.pop_front()) {
    const std::string& next = line.front();
    if (!next.empty()) {
      if (nodes_.size() >= FileWatchEvent::max_directories) return too_many();
      try {
        watch(next);
      } catch (const std::system_error& error) {
        const int code = error.code().value();
        if (code == ENOENT || code == ENOTDIR) continue;  // removed meanwhile
        if (code != EACCES && found == nullptr) throw;
        warn(error.what());
        continue;
      }
    }
    for (const Entry& entry : entries_of(full(next))) {
      const std::string path = below(next, entry.name);
      if (found != nullptr) found->push_back(path);
      if (entry.directory) line.push_back(path);
    }
  }
}

WatchTree::Nodes WatchTree::take(const std::string& directory) {
  Nodes taken;
  if (auto node = nodes_.extract(directory)) taken.insert(std::move(node));
  const std::string inside = directory + "/";
  for (auto at = nodes_.lower_bound(inside); at != nodes_.end() && at->first.starts_with(inside);) {
    taken.insert(nodes_.extract(at++));
  }
  return taken;
}

void WatchTree::too_many() {
  if (std::exchange(warned_, true)) return;
  warn("watch " + event_.path() + ": more than " + std::to_string(FileWatchEvent::max_directories) +
       " directories; the others are not watched");
}

/// libuv reports a directory that is removed, moved or changed as an entry of itself.
bool WatchTree::is_about_itself(const Node& node, const std::string& name) const {
  const std::string directory = full(node.path);
  return name == last_part(directory) && !exists(directory + "/" + name);
}

std::vector<std::string> WatchTree::names(const Node& node, const char* given, bool renamed) {
  const std::string name = given != nullptr ? given : "";
  if (node.path.empty()) {
    // A watched file is reported with its own name, a directory with the name of an entry.
    if (is_directory(root_ + "/.")) {
      if (is_about_itself(node, name) && !renamed) return {""};
    } else if (!exists(root_)) {
      return {""};
    } else {
      return {name};
    }
  } else if (is_about_itself(node, name) && (!renamed || !is_directory(full(node.path)))) {
    return {};  // the watch of its parent reports it too
  }
  const std::string path = below(node.path, name);
  std::vector<std::string> found{path};
  if (!renamed || !event_.is_recursive()) return found;
  if (is_directory(full(path))) {
    add(path, &found);  // a known one too: it may have been removed and made again
  } else {
    take(path);
  }
  return found;
}

void WatchTree::on_change(uv_fs_event_t* handle, const char* name, int events,
                          int status) noexcept {
  Node& node = *static_cast<Node*>(handle->data);
  WatchTree& tree = node.tree;
  FileWatchEvent& event = tree.event_;
  const Ref<FileWatchEvent> keep{&event};  // a callback may drop the last reference
  tree.reactor_.delivered();
  try {
    if (status != 0) {
      throw std::system_error{-status, std::generic_category(), "watch " + event.path()};
    }
    // Both bits at once are libuv's report that the attributes of a directory have changed.
    const bool changed = (events & UV_CHANGE) != 0;
    std::vector<std::string> found = tree.names(node, name, !changed);
    bool first = true;
    for (std::string& each : found) {
      // The first is what libuv reported; the others were found in a new directory.
      FileChange change{std::move(each), !first || !changed, first && changed};
      event.report(std::move(change));
      if (event.tree_.get() != &tree) {
        WEFT_PROBE("file watch stopped by the callback it notified");
        return;
      }
      first = false;
    }
  } catch (...) {
    event.notify(Outcome{std::current_exception()});
  }
}

}  // namespace weft
