#pragma once

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

/// A new directory for an example that needs files. It goes with its owner, however that ends.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error{"cannot make " + path_};
  }
  ~TemporaryDirectory() {
    try {
      std::filesystem::remove_all(path_);
    } catch (const std::exception&) {  // then it stays
    }
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_ = std::filesystem::temp_directory_path() / "weft-XXXXXX";
};
