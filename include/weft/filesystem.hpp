#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/file_status.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

/// Operations on paths, named like the system calls. Worker threads run them, so that a slow disk
/// or file server blocks one coroutine and not all.
///
/// All throw std::system_error that names the call and the path, Cancelled, and, when `token` fires
/// first, TimedOut for a timeout, otherwise OperationCancelled. An operation that ends early is
/// completed all the same if a worker has begun it. A relative path is looked up when the worker
/// begins: do not change the working directory meanwhile.
namespace weft::fs {

/// What an entry of a directory is.
enum class EntryType : std::uint8_t {
  file,           ///< a regular file
  directory,      ///< a directory
  symbolic_link,  ///< a symbolic link, which is not followed
  other,          ///< a socket, a pipe, a device
  unknown,        ///< the file system does not say; use lstat()
};

/// One entry of a directory.
struct DirectoryEntry {
  /// Its name, without the directory.
  std::string name;
  /// What it is.
  EntryType type = EntryType::unknown;

  friend bool operator==(const DirectoryEntry&, const DirectoryEntry&) = default;
};

/// Suspends until `from` is renamed to `to`. An existing `to` is replaced atomically; both must be
/// in one file system.
void rename(std::string_view from, std::string_view to, Token token = {},
            Place place = Place::here());
/// Suspends until the name of a file is removed. Open descriptors of the file stay valid.
void unlink(std::string_view path, Token token = {}, Place place = Place::here());
/// Suspends until the directory is created; its parent must exist.
void mkdir(std::string_view path, unsigned permissions = 0777, Token token = {},
           Place place = Place::here());
/// Suspends until the directory, which must be empty, is removed.
void rmdir(std::string_view path, Token token = {}, Place place = Place::here());
/// Suspends until the status of the file is known; follows symbolic links.
[[nodiscard]] FileStatus stat(std::string_view path, Token token = {}, Place place = Place::here());
/// Suspends until the status of the file, or of the symbolic link itself, is known.
[[nodiscard]] FileStatus lstat(std::string_view path, Token token = {},
                               Place place = Place::here());
/// Suspends like stat(), but returns nothing if there is no such file. Other errors are thrown.
[[nodiscard]] std::optional<FileStatus> try_stat(std::string_view path, Token token = {},
                                                 Place place = Place::here());
/// Suspends until a directory is read; returns its entries sorted by name, without "." and "..".
[[nodiscard]] std::vector<DirectoryEntry> readdir(std::string_view path, Token token = {},
                                                  Place place = Place::here());

}  // namespace weft::fs
