#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace weft::detail {

/// An input iterator that takes one value after the other from an object. `Derived::next()` puts
/// the next one into `value_`, or leaves that empty at the end; its constructor calls it first.
template <class Derived, class T>
class TakingIterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T;
  using pointer = void;

  /// Moves the value out. Returned by value, so that a loop cannot bind a reference to it.
  [[nodiscard]] T operator*() const { return T(std::move(*value_)); }
  /// Suspends until there is a next value, or the end.
  Derived& operator++() {
    auto& derived = static_cast<Derived&>(*this);
    derived.next();
    return derived;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const TakingIterator& iterator, std::default_sentinel_t /*end*/) noexcept {
    return !iterator.value_.has_value();
  }

 protected:
  mutable std::optional<T> value_;
};

}  // namespace weft::detail
