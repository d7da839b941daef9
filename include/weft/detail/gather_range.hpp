#pragma once

#include <concepts>
#include <cstddef>
#include <deque>
#include <exception>
#include <iterator>
#include <optional>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "weft/await.hpp"
#include "weft/coroutine.hpp"
#include "weft/detail/gathering.hpp"
#include "weft/result.hpp"
#include "weft/suspend.hpp"

// How the combinators read what they wait for.
namespace weft::detail {

/// A handle of something that ends once with a value or an error: Coroutine<T> or Future<T>.
template <class H>
concept AwaitHandle =
    std::copyable<std::remove_cvref_t<H>> && std::convertible_to < const std::remove_cvref_t<H>
&, Event& > &&requires { typename std::remove_cvref_t<H>::value_type; };

template <class Range>
using RangeElement = std::remove_cvref_t<decltype(*std::begin(std::declval<Range&>()))>;

/// A range of such handles.
template <class Range>
concept AwaitRange = requires(Range& range) {
  std::begin(range) != std::end(range);
  requires AwaitHandle<decltype(*std::begin(range))>;
};

/// Whether it can be iterated again: a container. Else it is a source that may suspend.
template <class Range>
inline constexpr bool is_container =
    std::forward_iterator<decltype(std::begin(std::declval<Range&>()))>;

/// The result of a handle that has ended. Never suspends.
template <AwaitHandle H>
Result<typename H::value_type> result_of(const H& handle) {
  Result<typename H::value_type> result;
  try {
    if constexpr (std::is_void_v<typename H::value_type>) {
      await(handle);
      result.set_value();
    } else {
      result.set_value(await(handle));
    }
  } catch (...) {
    result.set_error(std::current_exception());
  }
  return result;
}

/// The value of a handle that has ended, as an element.
template <AwaitHandle H>
AsElement<typename H::value_type> element_of(const H& handle) {
  if constexpr (std::is_void_v<typename H::value_type>) {
    await(handle);
    return {};
  } else {
    return await(handle);
  }
}

/// The members of a range and the wait for them. It has handles of its own, so that the range may
/// change meanwhile.
template <AwaitHandle H>
class GatheredRange {
 public:
  /// Suspends until `goal` is reached.
  template <class Range>
  GatheredRange(Range& range, GatherGoal goal, Token token, Place place) : gathering_{goal} {
    if constexpr (is_container<Range>) {
      for (auto&& handle : range) handles_.push_back(handle);
      for (const H& handle : handles_) gathering_.add(handle);
      gathering_.close_entry();
      if (!handles_.empty()) gathering_.wait(token, place);
    } else {
      Feeder feeder{*this, range, place};
      gathering_.wait(token, place);
    }
  }
  GatheredRange(const GatheredRange&) = delete;
  GatheredRange& operator=(const GatheredRange&) = delete;

  [[nodiscard]] const std::deque<H>& handles() const noexcept { return handles_; }
  [[nodiscard]] std::size_t size() const noexcept { return handles_.size(); }
  [[nodiscard]] const Gathering& gathering() const noexcept { return gathering_; }
  const H& operator[](std::size_t member) const noexcept { return handles_[member]; }

  void throw_first_failure() const {
    const std::size_t failed = gathering_.first_failure();
    if (failed != Gathering::nowhere) await(handles_[failed]);
  }

 private:
  /// Reads a source that may suspend, in a coroutine of its own. The source belongs to the caller,
  /// so reading it ends with the wait.
  class Feeder {
   public:
    template <class Range>
    Feeder(GatheredRange& into, Range& range, Place place)
        : coroutine_{spawn_reader(
              into.gathering_.operation(),
              [&into, &range, entry = Entry{into.gathering_}]() mutable {
                entry.run([&] { into.read(range); });
              },
              place)} {}
    Feeder(const Feeder&) = delete;
    Feeder& operator=(const Feeder&) = delete;
    ~Feeder() { cancel_and_join(coroutine_.base()); }

   private:
    Coroutine<void> coroutine_;
  };

  /// Ensures that the wait learns of the end of its feeder, even if that never ran.
  class Entry {
   public:
    explicit Entry(Gathering& gathering) noexcept : gathering_{&gathering} {}
    Entry(Entry&& other) noexcept : gathering_{std::exchange(other.gathering_, nullptr)} {}
    Entry& operator=(Entry&&) = delete;
    ~Entry() {
      if (gathering_ == nullptr) return;
      gathering_->fail(std::make_exception_ptr(Cancelled{}));
    }
    template <class F>
    void run(F&& read) {
      Gathering& gathering = *std::exchange(gathering_, nullptr);
      try {
        read();
        gathering.close_entry();
      } catch (...) {
        gathering.fail(std::current_exception());
      }
    }

   private:
    Gathering* gathering_;
  };

  template <class Range>
  void read(Range& range) {
    std::unordered_set<const Event*> known;  // a handle given twice is awaited once
    auto end = std::end(range);
    for (auto next = std::begin(range); next != end && !gathering_.is_closed(); ++next) {
      H handle = *next;
      if (!known.insert(&static_cast<const Event&>(static_cast<Event&>(handle))).second) continue;
      handles_.push_back(std::move(handle));
      gathering_.add(handles_.back());
    }
  }

  std::deque<H> handles_;
  Gathering gathering_;
};

}  // namespace weft::detail
