#pragma once

#include <memory>
#include <system_error>

#include <uv.h>

namespace weft {

/// A libuv handle. libuv needs a handle until its close callback has run, so the memory is freed
/// there and nowhere else.
template <class Handle>
class UvHandle {
 public:
  UvHandle() = default;
  UvHandle(const UvHandle&) = delete;
  UvHandle& operator=(const UvHandle&) = delete;
  ~UvHandle() { close(); }

  /// Makes the handle with `init(handle)`. Throws std::system_error naming `what`.
  template <class Init>
  void open(Init init, const char* what) {
    auto handle = std::make_unique<Handle>();
    if (const int status = init(handle.get()); status != 0) {
      throw std::system_error{-status, std::generic_category(), what};
    }
    handle_ = handle.release();
  }
  void close() noexcept {
    if (handle_ == nullptr) return;
    uv_close(reinterpret_cast<uv_handle_t*>(handle_),
             [](uv_handle_t* closed) { delete reinterpret_cast<Handle*>(closed); });
    handle_ = nullptr;
  }

  /// Drops the handle without closing it: its loop must not be touched any more.
  void forget() noexcept { handle_ = nullptr; }

  [[nodiscard]] Handle* get() const noexcept { return handle_; }
  [[nodiscard]] uv_handle_t* base() const noexcept {
    return reinterpret_cast<uv_handle_t*>(handle_);
  }

 private:
  Handle* handle_ = nullptr;
};

}  // namespace weft
