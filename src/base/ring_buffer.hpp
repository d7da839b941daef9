#pragma once

#include <cstddef>
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
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] T operator[](std::size_t index) const noexcept { return data_[(head_ + index) & mask()]; }

  /// Makes room for `count` entries, so that pushes up to there cannot fail.
  void reserve(std::size_t count) {
    if (count > capacity_) resize(count);
  }
  /// Gives memory back when far less than the capacity is needed: never below `count`.
  void shrink(std::size_t count) noexcept {
    if (capacity_ <= minimum_ || count * 5 / 2 >= capacity_) return;
    try {
      resize(count < size() ? size() : count);
    } catch (...) {  // no memory to give memory back: keep what we have
    }
  }

  /// There must be room.
  void push_back(T value) noexcept { data_[tail_++ & mask()] = value; }
  void push_front(T value) noexcept { data_[--head_ & mask()] = value; }
  T pop_front() noexcept { return data_[head_++ & mask()]; }
  /// Takes the entry at `index` out of the middle; the others keep their order.
  T take(std::size_t index) noexcept {
    T value = (*this)[index];
    for (std::size_t i = index; i > 0; --i) data_[(head_ + i) & mask()] = (*this)[i - 1];
    ++head_;
    return value;
  }

 private:
  [[nodiscard]] std::size_t mask() const noexcept { return capacity_ - 1; }

  void resize(std::size_t count) {
    std::size_t capacity = minimum_;
    while (capacity < count) capacity *= 2;
    if (capacity == capacity_) return;
    std::unique_ptr<T[]> data{new T[capacity]};
    const std::size_t used = size();
    for (std::size_t i = 0; i < used; ++i) data[i] = (*this)[i];
    data_ = std::move(data);
    capacity_ = capacity;
    head_ = 0;
    tail_ = used;
  }

  std::unique_ptr<T[]> data_;
  std::size_t capacity_ = 0;
  std::size_t head_ = 0;  // both only grow; the mask finds the slot
  std::size_t tail_ = 0;
  std::size_t minimum_;
};

}  // namespace weft
