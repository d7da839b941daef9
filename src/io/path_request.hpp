#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <uv.h>

#include "weft/extend/loop_event.hpp"
#include "weft/filesystem.hpp"
#include "weft/ref.hpp"

namespace weft {

/// One system call with a path, made by a worker thread. The request owns all memory that the
/// worker uses. If the last reference is dropped meanwhile, it is freed when the worker is done.
class PathRequest final : public LoopEvent {
 public:
  enum class Kind : std::uint8_t { rename, unlink, mkdir, rmdir, stat, lstat, readdir };

  /// Gives the call to a worker. `other` is the second path of a rename. Throws MisuseError outside
  /// a runtime, and std::system_error for a path with a NUL inside.
  [[nodiscard]] static Ref<PathRequest> begin(Kind kind, std::string_view path,
                                              std::string_view other = {}, unsigned mode = 0);
  ~PathRequest() override = default;

  [[nodiscard]] const FileStatus& status() const noexcept { return status_; }
  [[nodiscard]] std::vector<fs::DirectoryEntry>& entries() noexcept { return entries_; }
  /// "rename a to b", for messages.
  [[nodiscard]] std::string text() const;

  using Event::replay;
  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override;

 private:
  PathRequest(Kind kind, std::string_view path, std::string_view other, unsigned mode);
  // Arming and disarming do nothing: the worker goes on by itself.
  void arm(Reactor& /*reactor*/) override {}
  void disarm(Reactor& /*reactor*/) noexcept override {}
  void dispose() noexcept override;
  void submit();
  void back_from_worker() noexcept;
  void take_result();
  void take_entries();

  Kind kind_;
  bool at_worker_ = false;
  bool abandoned_ = false;  // the last reference is gone, but a worker uses the request
  unsigned mode_;
  std::string path_;
  std::string other_;
  uv_fs_t fs_{};
  Reactor* home_ = nullptr;
  FileStatus status_;
  std::vector<fs::DirectoryEntry> entries_;
  std::exception_ptr error_;
};

}  // namespace weft
