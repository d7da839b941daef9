#include "weft/filesystem.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "io/io_wait.hpp"
#include "io/path_request.hpp"
#include "weft/await.hpp"

namespace weft::fs {
namespace {

using Kind = PathRequest::Kind;

Ref<PathRequest> done(Ref<PathRequest> request, Token token, Place place) {
  naming_timeouts([&] { return request->text(); }, [&] { await(*request, token, place); });
  return request;
}

}  // namespace

void rename(std::string_view from, std::string_view to, Token token, Place place) {
  done(PathRequest::begin(Kind::rename, from, to), token, place);
}

void unlink(std::string_view path, Token token, Place place) {
  done(PathRequest::begin(Kind::unlink, path), token, place);
}

void mkdir(std::string_view path, unsigned permissions, Token token, Place place) {
  done(PathRequest::begin(Kind::mkdir, path, {}, permissions), token, place);
}

void rmdir(std::string_view path, Token token, Place place) {
  done(PathRequest::begin(Kind::rmdir, path), token, place);
}

FileStatus stat(std::string_view path, Token token, Place place) {
  return done(PathRequest::begin(Kind::stat, path), token, place)->status();
}

FileStatus lstat(std::string_view path, Token token, Place place) {
  return done(PathRequest::begin(Kind::lstat, path), token, place)->status();
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
      std::move(done(PathRequest::begin(Kind::readdir, path), token, place)->entries());
  std::sort(entries.begin(), entries.end(),
            [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace weft::fs
