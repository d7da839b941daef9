#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace weft {

/// A callable that can be moved and not copied. Small ones are stored inside the object.
template <class Signature>
class Function;

template <class R, class... Args>
class Function<R(Args...)> {
 public:
  Function() noexcept = default;

  template <class F, std::enable_if_t<!std::same_as<std::decay_t<F>, Function> &&
                                          std::is_invocable_r_v<R, std::decay_t<F>&, Args...>,
                                      int> = 0>
  /// Takes `callable`, which may be movable only.
  Function(F&& callable) {  // NOLINT(google-explicit-constructor,
                            // bugprone-forwarding-reference-overload)
    using Stored = std::decay_t<F>;
    if constexpr (fits<Stored>) {
      ::new (storage()) Stored(std::forward<F>(callable));
    } else {
      ::new (storage()) Stored*(new Stored(std::forward<F>(callable)));
    }
    operations_ = &operations_for<Stored>;
  }

  Function(Function&& other) noexcept { take(other); }
  Function& operator=(Function&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;
  ~Function() { reset(); }

  explicit operator bool() const noexcept { return operations_ != nullptr; }
  /// Calls the callable, which must not be empty.
  R operator()(Args... args) { return operations_->call(storage(), std::forward<Args>(args)...); }

 private:
  struct Operations {
    R (*call)(void*, Args&&...);
    void (*move)(void* from, void* to) noexcept;
    void (*destroy)(void*) noexcept;
  };

  static constexpr std::size_t inline_size = 24;
  template <class F>
  static constexpr bool fits =
      sizeof(F) <= inline_size &&
      alignof(F) <= alignof(void*) && std::is_nothrow_move_constructible_v<F>;

  template <class F>
  static F& stored(void* storage) noexcept {
    if constexpr (fits<F>) {
      return *std::launder(static_cast<F*>(storage));
    } else {
      return **std::launder(static_cast<F**>(storage));
    }
  }
  template <class F>
  static R call_stored(void* storage, Args&&... args) {
    return static_cast<R>(stored<F>(storage)(std::forward<Args>(args)...));
  }
  template <class F>
  static void move_stored(void* from, void* to) noexcept {
    if constexpr (fits<F>) {
      ::new (to) F(std::move(stored<F>(from)));
      stored<F>(from).~F();
    } else {
      ::new (to) F*(&stored<F>(from));
    }
  }
  template <class F>
  static void destroy_stored(void* storage) noexcept {
    if constexpr (fits<F>) {
      stored<F>(storage).~F();
    } else {
      delete &stored<F>(storage);
    }
  }
  template <class F>
  static constexpr Operations operations_for{&call_stored<F>, &move_stored<F>, &destroy_stored<F>};

  void* storage() noexcept { return static_cast<void*>(storage_); }
  void take(Function& other) noexcept {
    operations_ = std::exchange(other.operations_, nullptr);
    if (operations_ != nullptr) operations_->move(other.storage(), storage());
  }
  void reset() noexcept {
    if (operations_ != nullptr) std::exchange(operations_, nullptr)->destroy(storage());
  }

  const Operations* operations_ = nullptr;
  alignas(void*) std::byte storage_[inline_size];
};

}  // namespace weft
