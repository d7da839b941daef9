#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace weft {

/// What a standard stream of a child process is connected to.
class ChildStream {
 public:
  /// What a standard stream of the child is connected to.
  enum Kind : std::uint8_t {
    inherited,    ///< the stream of this process
    piped,        ///< a pipe whose other end this process holds
    null,         ///< reads find the end, writes are discarded
    with_output,  ///< for standard error: the same as standard output
    file,         ///< a file: see to_file(), append_to_file() and from_file()
  };
  /// How a file is opened: to `read` it, to `truncate` and write it, or to `append` to it.
  enum class Opening : std::uint8_t { read, truncate, append };

  ChildStream(Kind kind = inherited) noexcept  // NOLINT(google-explicit-constructor)
      : kind_{kind} {}
  /// A file; to_file(), append_to_file() and from_file() are shorter.
  ChildStream(std::string path, Opening opening) noexcept
      : kind_{file}, opening_{opening}, path_{std::move(path)} {}

  /// What it is connected to.
  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// The path, if it is a file.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// How the file is opened, if it is one.
  [[nodiscard]] Opening opening() const noexcept { return opening_; }

 private:
  Kind kind_;
  Opening opening_ = Opening::truncate;
  std::string path_;
};

/// ChildStream::inherited, for short.
inline constexpr ChildStream::Kind inherited = ChildStream::inherited;
/// ChildStream::piped, for short.
inline constexpr ChildStream::Kind piped = ChildStream::piped;
/// ChildStream::null, for short.
inline constexpr ChildStream::Kind null = ChildStream::null;
/// ChildStream::with_output, for short.
inline constexpr ChildStream::Kind with_output = ChildStream::with_output;

/// Output goes to the file `path`, which is created, or truncated if it exists. A relative path is
/// resolved in the working directory of this process, not of the child. For output and errors in
/// one file give the errors with_output: a file that is opened twice is overwritten.
[[nodiscard]] inline ChildStream to_file(std::string path) {
  return {std::move(path), ChildStream::Opening::truncate};
}
/// Like to_file(), but appends to the file.
[[nodiscard]] inline ChildStream append_to_file(std::string path) {
  return {std::move(path), ChildStream::Opening::append};
}
/// Input comes from the file `path`.
[[nodiscard]] inline ChildStream from_file(std::string path) {
  return {std::move(path), ChildStream::Opening::read};
}

}  // namespace weft
