#include "weft/filesystem.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "io/io_wait.hpp"
#include "io/path_request.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/await.hpp"

namespace weft::fs {
namespace {

using Kind = PathRequest::Kind;

/// Begins a request, as PathRequest::begin() does, and suspends until it is done.
template <class... Given>
Ref<PathRequest> done(const char* operation, Token token, Place place, Given... given) {
  Scheduler::expect_to_suspend(operation);
  Ref<PathRequest> request = PathRequest::begin(given...);
  naming_timeouts([&] { return request->text(); }, [&] { await(*request, token, place); });
  return request;
}

}  // namespace

void rename(std::string_view from, std::string_view to, Token token, Place place) {
  done("fs::rename()", token, place, Kind::rename, from, to);
}

void unlink(std::string_view path, Token token, Place place) {
  done("fs::unlink()", token, place, Kind::unlink, path);
}

void mkdir(std::string_view path, unsigned permissions, Token token, Place place) {
  done("fs::mkdir()", token, place, Kind::mkdir, path, std::string_view{}, permissions);
}

void rmdir(std::string_view path, Token token, Place place) {
  done("fs::rmdir()", token, place, Kind::rmdir, path);
}

FileStatus stat(std::string_view path, Token token, Place place) {
  return done("fs::stat()", token, place, Kind::stat, path)->status();
}

FileStatus lstat(std::string_view path, Token token, Place place) {
  return done("fs::lstat()", token, place, Kind::lstat, path)->status();
}

std::optional<FileStatus> try_stat(std::string_view path, Token token, Place place) {
  try {
    return stat(path, token, place);
  } catch (const std::system_error& error) {
    const int code = error.code().value();
    if (code != ENOENT && code != ENOTDIR) throw;
    return std::nullopt;
  }
}

std::vector<DirectoryEntry> readdir(std::string_view path, Token token, Place place) {
  std::vector<DirectoryEntry> entries =
      std::move(done("fs::readdir()", token, place, Kind::readdir, path)->entries());
  std::sort(entries.begin(), entries.end(),
            [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace weft::fs
