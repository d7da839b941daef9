#pragma once

#include <cstddef>
#include <utility>

namespace weft::detail {

/// The owner of one object on the heap: std::unique_ptr for headers that nearly every program
/// includes, because <memory> is 8,000 lines.
template <class T>
class Owned {
 public:
  Owned() noexcept = default;
  explicit Owned(T* object) noexcept : object_{object} {}
  Owned(Owned&& other) noexcept : object_{std::exchange(other.object_, nullptr)} {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() { reset(); }

  void reset() noexcept { delete std::exchange(object_, nullptr); }

  [[nodiscard]] T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  friend bool operator==(const Owned& a, std::nullptr_t) noexcept { return a.object_ == nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace weft::detail
