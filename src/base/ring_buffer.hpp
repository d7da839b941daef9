#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>

namespace weft {

/// A queue in an array whose size is a power of two: push at either end and pop in constant time.
template <class T>
class RingBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit RingBuffer(std::size_t minimum) : minimum_{minimum} {}

  [[nodiscard]] bool empty() const noexcept { return head_ == tail_; }
  [[nodiscard]] std::size_t size() const noexcept { return tail_ - head_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }
  [[nodiscard]] T operator[](std::size_t index) const noexcept {
    return data_[(head_ + index) & mask_];
  }

  /// Makes room for `count` entries, so that pushes up to there cannot fail.
  void reserve(std::size_t count) {
    if (count > capacity()) [[unlikely]]
      resize(count);
  }
  /// Gives memory back when far less than the capacity is needed: never below `count`.
  void shrink(std::size_t count) noexcept {
    if (capacity() <= minimum_ || count * 5 / 2 >= capacity()) return;
    try {
      resize(count < size() ? size() : count);
    } catch (...) {  // no memory to give memory back: keep what we have
    }
  }

  /// The buffer must have room.
  void push_back(T value) noexcept { data_[tail_++ & mask_] = value; }
  void push_front(T value) noexcept { data_[--head_ & mask_] = value; }
  T pop_front() noexcept { return data_[head_++ & mask_]; }
  /// Takes the entry at `index` out of the middle; the others keep their order.
  T take(std::size_t index) noexcept {
    T value = (*this)[index];
    for (std::size_t i = index; i > 0; --i) data_[(head_ + i) & mask_] = (*this)[i - 1];
    ++head_;
    return value;
  }

 private:
  [[gnu::noinline]] void resize(std::size_t count) {
    std::size_t capacity = minimum_;
    while (capacity < count) capacity *= 2;
    if (capacity == this->capacity()) return;
    std::unique_ptr<T[]> memory{new T[capacity]};
    const std::size_t used = size();
    for (std::size_t i = 0; i < used; ++i) memory[i] = (*this)[i];
    memory_ = std::move(memory);
    data_ = memory_.get();
    mask_ = capacity - 1;
    head_ = 0;
    tail_ = used;
  }

  T* data_ = nullptr;
  std::size_t mask_ = std::numeric_limits<std::size_t>::max();  // capacity less one
  std::size_t head_ = 0;  // both only grow; the mask finds the slot
  std::size_t tail_ = 0;
  std::size_t minimum_;
  std::unique_ptr<T[]> memory_;
};

}  // namespace weft
