#pragma once

#include <unistd.h>
#include <utility>

#include "base/real_calls.hpp"

namespace weft {

/// Owns this process's end of a pipe to a child, or another descriptor of it.
class PipeEnd {
 public:
  PipeEnd() noexcept = default;
  explicit PipeEnd(int descriptor) noexcept : descriptor_{descriptor} {}
  PipeEnd(PipeEnd&& other) noexcept : descriptor_{other.release()} {}
  PipeEnd& operator=(PipeEnd&& other) noexcept {
    if (this != &other) {
      close();
      descriptor_ = other.release();
    }
    return *this;
  }
  PipeEnd(const PipeEnd&) = delete;
  PipeEnd& operator=(const PipeEnd&) = delete;
  ~PipeEnd() { close(); }

  [[nodiscard]] int get() const noexcept { return descriptor_; }
  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
  /// The caller closes it.
  [[nodiscard]] int release() noexcept { return std::exchange(descriptor_, -1); }
  void close() noexcept {
    if (descriptor_ >= 0) real_calls.close(release());
  }

 private:
  int descriptor_ = -1;
};

}  // namespace weft
