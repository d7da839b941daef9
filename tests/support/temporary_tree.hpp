#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace weft_test {

/// A new directory, removed by the destructor. Paths are relative to it.
class TemporaryTree {
 public:
  TemporaryTree() : TemporaryTree{std::filesystem::temp_directory_path()} {}
  /// A directory in /dev/shm, if that exists: many files cost little there.
  static TemporaryTree in_memory() {
    const std::filesystem::path memory{"/dev/shm"};
    return TemporaryTree{
        std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()};
  }
  ~TemporaryTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  TemporaryTree(const TemporaryTree&) = delete;
  TemporaryTree& operator=(const TemporaryTree&) = delete;

  [[nodiscard]] std::string path(const std::string& name = {}) const {
    return name.empty() ? root_.string() : (root_ / name).string();
  }
  void make_directory(const std::string& name) const {
    std::filesystem::create_directories(root_ / name);
  }
  /// Creates the file, or appends to it.
  void write(const std::string& name, const std::string& text = "x") const {
    std::ofstream{root_ / name, std::ios::app} << text;
  }
  void remove(const std::string& name) const { std::filesystem::remove_all(root_ / name); }
  void rename(const std::string& from, const std::string& to) const {
    std::filesystem::rename(root_ / from, root_ / to);
  }
  void link(const std::string& name, const std::string& target) const {
    std::filesystem::create_symlink(root_ / target, root_ / name);
  }

 private:
  explicit TemporaryTree(const std::filesystem::path& parent) {
    std::string name = (parent / "weft-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::system_error{errno, std::generic_category(), name};
    }
    root_ = name;
  }

  std::filesystem::path root_;
};

/// The contents of a file; empty if there is none.
inline std::string contents(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace weft_test
