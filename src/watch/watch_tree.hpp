#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <uv.h>

#include "reactor/uv_handle.hpp"

namespace weft {

class FileWatchEvent;
class Reactor;

/// The watches of an armed FileWatchEvent: one for its path, and one for each directory below if it
/// is recursive. libuv cannot watch a tree on Linux.
class WatchTree {
 public:
  /// Throws std::system_error if the root cannot be watched.
  WatchTree(FileWatchEvent& event, Reactor& reactor);
  WatchTree(const WatchTree&) = delete;
  WatchTree& operator=(const WatchTree&) = delete;
  ~WatchTree();

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

 private:
  struct Node;
  using Nodes = std::map<std::string, std::unique_ptr<Node>>;  // by path relative to the root

  static void on_change(uv_fs_event_t* handle, const char* name, int events, int status) noexcept;
  /// The paths, relative to the root, that a report of libuv is about.
  std::vector<std::string> names(const Node& node, const char* name, bool renamed);
  /// Watches the directory and its descendants; adds their entries to `found`, if given.
  void add(const std::string& directory, std::vector<std::string>* found);
  void watch(const std::string& path);
  /// Takes the directory and its descendants out.
  Nodes take(const std::string& directory);
  [[nodiscard]] std::string full(const std::string& path) const;
  [[nodiscard]] bool is_about_itself(const Node& node, const std::string& name) const;
  void too_many();

  FileWatchEvent& event_;
  Reactor& reactor_;
  const std::string& root_;  // the path of the event, absolute
  Nodes nodes_;
  bool warned_ = false;
};

}  // namespace weft
