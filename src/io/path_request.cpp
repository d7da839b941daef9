#include "io/path_request.hpp"

#include <cerrno>
#include <utility>

#include "base/current.hpp"
#include "base/probe.hpp"
#include "io/file_status.hpp"
#include "io/io_error.hpp"
#include "reactor/reactor.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

const char* verb(PathRequest::Kind kind) noexcept {
  static constexpr const char* verbs[] = {"rename", "unlink", "mkdir",  "rmdir",
                                          "stat",   "lstat",  "readdir"};
  return verbs[static_cast<std::size_t>(kind)];
}

fs::EntryType type_of(uv_dirent_type_t type) noexcept {
  switch (type) {
    case UV_DIRENT_FILE:
      return fs::EntryType::file;
    case UV_DIRENT_DIR:
      return fs::EntryType::directory;
    case UV_DIRENT_LINK:
      return fs::EntryType::symbolic_link;
    case UV_DIRENT_UNKNOWN:
      return fs::EntryType::unknown;
    default:
      return fs::EntryType::other;
  }
}

}  // namespace

PathRequest::PathRequest(Kind kind, std::string_view path, std::string_view other, unsigned mode)
    : kind_{kind}, mode_{mode}, path_{path}, other_{other} {}

Ref<PathRequest> PathRequest::begin(Kind kind, std::string_view path, std::string_view other,
                                    unsigned mode) {
  for (const std::string_view each : {path, other}) {
    if (const std::size_t nul = each.find('\0'); nul != each.npos) {
      throw_io_error(EINVAL, std::string{verb(kind)} + " " + std::string{each.substr(0, nul)} +
                                 "...: a path cannot contain NUL");
    }
  }
  auto* const made = new PathRequest{kind, path, other, mode};
  made->free_with_last_reference();
  Ref<PathRequest> request = Ref<PathRequest>::adopt(made);
  request->submit();
  return request;
}

void PathRequest::submit() {
  home_ = current_thread.reactor;
  if (home_ == nullptr) throw MisuseError{"Files can only be used inside weft::run()"};
  uv_loop_t* const loop = &home_->loop();
  const char* const path = path_.c_str();
  const auto back = [](uv_fs_t* fs) { static_cast<PathRequest*>(fs->data)->back_from_worker(); };
  fs_.data = this;
  int status = 0;
  switch (kind_) {
    case Kind::rename:
      status = uv_fs_rename(loop, &fs_, path, other_.c_str(), back);
      break;
    case Kind::unlink:
      status = uv_fs_unlink(loop, &fs_, path, back);
      break;
    case Kind::mkdir:
      status = uv_fs_mkdir(loop, &fs_, path, static_cast<int>(mode_), back);
      break;
    case Kind::rmdir:
      status = uv_fs_rmdir(loop, &fs_, path, back);
      break;
    case Kind::stat:
      status = uv_fs_stat(loop, &fs_, path, back);
      break;
    case Kind::lstat:
      status = uv_fs_lstat(loop, &fs_, path, back);
      break;
    case Kind::readdir:
      status = uv_fs_scandir(loop, &fs_, path, 0, back);
      break;
  }
  if (status < 0) {
    uv_fs_req_cleanup(&fs_);
    throw_io_error(-status, text());
  }
  at_worker_ = true;
  home_->hold_time();
}

/// The last reference was dropped. The worker may still use the paths: then it frees the request.
void PathRequest::dispose() noexcept {
  stop_all();
  if (!at_worker_) return Event::dispose();
  abandoned_ = true;
  uv_cancel(reinterpret_cast<uv_req_t*>(&fs_));
}

void PathRequest::back_from_worker() noexcept {
  at_worker_ = false;
  home_->release_time();
  home_->delivered();
  if (abandoned_) {
    WEFT_PROBE("a worker came back from a path that was not awaited any more");
    uv_fs_req_cleanup(&fs_);
    return Event::dispose();
  }
  const Ref<PathRequest> alive{this};
  try {
    take_result();
  } catch (...) {
    error_ = std::current_exception();
  }
  uv_fs_req_cleanup(&fs_);
  notify_and_close(Outcome{error_});
}

void PathRequest::take_result() {
  if (fs_.result < 0) throw_io_error(static_cast<int>(-fs_.result), text());
  if (kind_ == Kind::stat || kind_ == Kind::lstat) status_ = file_status(fs_.statbuf);
  if (kind_ == Kind::readdir) take_entries();
}

void PathRequest::take_entries() {
  uv_dirent_t entry{};
  while (uv_fs_scandir_next(&fs_, &entry) != UV_EOF) {
    entries_.push_back({entry.name, type_of(entry.type)});
  }
}

bool PathRequest::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = Outcome{error_};
  return true;
}

std::string PathRequest::text() const {
  const std::string text = std::string{verb(kind_)} + " " + path_;
  return kind_ == Kind::rename ? text + " to " + other_ : text;
}

std::string PathRequest::info() const { return "Filesystem(" + text() + ")"; }

}  // namespace weft
