#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft {

/// A counted reference to an object that carries its own count (`retain`, `release`).
template <class T>
class Ref {
 public:
  constexpr Ref() noexcept = default;
  constexpr Ref(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor)
  /// Takes one more reference on `object`.
  explicit Ref(T* object) noexcept : object_{object} {
    if (object_ != nullptr) object_->retain();
  }
  Ref(const Ref& other) noexcept : Ref{other.object_} {}
  Ref(Ref&& other) noexcept : object_{std::exchange(other.object_, nullptr)} {}
  template <class U>
  Ref(const Ref<U>& other) noexcept : Ref{other.get()} {}  // NOLINT(google-explicit-constructor)
  template <class U>
  Ref(Ref<U>&& other) noexcept : object_{other.detach()} {}  // NOLINT(google-explicit-constructor)
  ~Ref() {
    if (object_ != nullptr) object_->release();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  /// Takes over a reference that the caller holds.
  static Ref adopt(T* object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Hands the reference to the caller, who must release it.
  [[nodiscard]] T* detach() noexcept { return std::exchange(object_, nullptr); }

  /// The object; null for none.
  [[nodiscard]] T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

/// Makes a counted object on the heap; it is destroyed with its last reference.
template <class T, class... Args>
[[nodiscard]] Ref<T> make_ref(Args&&... args) {
  T* object = new T(std::forward<Args>(args)...);
  if constexpr (requires { object->free_with_last_reference(); }) {
    object->free_with_last_reference();
  }
  return Ref<T>::adopt(object);
}

/// The count of an object for Ref: `class Shared : public Counted<Shared>`. It begins with one
/// reference, which make_ref() and Ref::adopt() take over; the last one deletes the object. One
/// that is not on the heap keeps its first reference, and so is never deleted.
template <class T>
class Counted {
 public:
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete static_cast<T*>(this);
  }
  [[nodiscard]] std::uint32_t references() const noexcept { return references_; }

 protected:
  Counted() noexcept = default;
  ~Counted() = default;

 private:
  std::uint32_t references_ = 1;
};

}  // namespace weft
