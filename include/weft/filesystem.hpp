#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/extend/io_request.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

/// What programs do with paths: named as the calls of the system are, done by worker threads, so
/// that a slow disk or a server of files stops one coroutine and not all.
///
/// All throw std::system_error that names the call and the path, Cancelled, and for a token
/// TimedOut or OperationCancelled. One that ends early was done all the same if a worker had begun
/// it. A relative path is looked up when the worker begins: do not change the working directory
/// meanwhile.
namespace weft::fs {

/// What an entry of a directory is.
enum class EntryType : std::uint8_t {
  file,
  directory,
  symbolic_link,
  other,    ///< a socket, a pipe, a device
  unknown,  ///< the file system does not tell; lstat() does
};

struct DirectoryEntry {
  std::string name;
  EntryType type = EntryType::unknown;

  friend bool operator==(const DirectoryEntry&, const DirectoryEntry&) = default;
};

/// Suspends until `from` is called `to`. A file of that name is replaced, at no moment it is
/// missing; both must be in one file system.
void rename(std::string_view from, std::string_view to, Token token = {},
            Place place = Place::here());
/// Suspends until the name of a file is removed. Who has it open keeps it.
void unlink(std::string_view path, Token token = {}, Place place = Place::here());
/// Suspends until the directory is made; the one above it must be there.
void mkdir(std::string_view path, unsigned permissions = 0777, Token token = {},
           Place place = Place::here());
/// Suspends until the directory, which must be empty, is removed.
void rmdir(std::string_view path, Token token = {}, Place place = Place::here());
/// Suspends; what is known of the file, or of what the symbolic link `path` leads to.
[[nodiscard]] FileStatus stat(std::string_view path, Token token = {}, Place place = Place::here());
/// Suspends; what is known of the file, or of the symbolic link itself.
[[nodiscard]] FileStatus lstat(std::string_view path, Token token = {},
                               Place place = Place::here());
/// Suspends; as stat(), but nothing if there is no such file. Other errors are thrown.
[[nodiscard]] std::optional<FileStatus> try_stat(std::string_view path, Token token = {},
                                                 Place place = Place::here());
/// Suspends; what is in a directory, sorted by name, without "." and "..".
[[nodiscard]] std::vector<DirectoryEntry> readdir(std::string_view path, Token token = {},
                                                  Place place = Place::here());

}  // namespace weft::fs
