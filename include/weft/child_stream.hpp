#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace weft {

/// What one of the three standard streams of a child process is.
class ChildStream {
 public:
  enum Kind : std::uint8_t {
    inherited,    ///< the same as ours
    piped,        ///< a pipe of which we hold the other end
    null,         ///< nothing comes, and what goes is gone
    with_output,  ///< for standard error: where standard output goes
    file,         ///< a file: see to_file(), append_to_file() and from_file()
  };
  /// How a file is opened.
  enum class Opening : std::uint8_t { read, truncate, append };

  ChildStream(Kind kind = inherited) noexcept  // NOLINT(google-explicit-constructor)
      : kind_{kind} {}
  /// A file; to_file() and its relatives say the same in fewer words.
  ChildStream(std::string path, Opening opening) noexcept
      : kind_{file}, opening_{opening}, path_{std::move(path)} {}

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// Of a file.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] Opening opening() const noexcept { return opening_; }

 private:
  Kind kind_;
  Opening opening_ = Opening::truncate;
  std::string path_;
};

inline constexpr ChildStream::Kind inherited = ChildStream::inherited;
inline constexpr ChildStream::Kind piped = ChildStream::piped;
inline constexpr ChildStream::Kind null = ChildStream::null;
inline constexpr ChildStream::Kind with_output = ChildStream::with_output;

/// Output goes into a file, which is made, or emptied if it is there. A relative path is looked up
/// from our working directory, not the child's. For output and errors in one file give the errors
/// with_output: two that are opened each by itself overwrite each other.
[[nodiscard]] inline ChildStream to_file(std::string path) {
  return {std::move(path), ChildStream::Opening::truncate};
}
/// The same, but behind what is in the file already.
[[nodiscard]] inline ChildStream append_to_file(std::string path) {
  return {std::move(path), ChildStream::Opening::append};
}
/// Input comes from a file.
[[nodiscard]] inline ChildStream from_file(std::string path) {
  return {std::move(path), ChildStream::Opening::read};
}

}  // namespace weft
