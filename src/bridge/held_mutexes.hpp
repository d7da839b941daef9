#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <pthread.h>

namespace weft::bridge {

/// The mutexes that coroutines of a thread hold, as far as hooked calls have locked them. Without
/// memory of its own: an allocator may lock mutexes.
class HeldMutexes {
 public:
  struct Held {
    const pthread_mutex_t* mutex;
    std::uint64_t holder;  // id of the coroutine
    const void* place;     // where it was locked
  };

  /// The first of `mutex` that a coroutine other than `me` holds; null if there is none.
  [[nodiscard]] const Held* of_others(const pthread_mutex_t* mutex,
                                      std::uint64_t me) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (all_[i].mutex == mutex && all_[i].holder != me) return &all_[i];
    }
    return nullptr;
  }
  /// The first that `holder` holds; null if there is none.
  [[nodiscard]] const Held* first_of(std::uint64_t holder) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (all_[i].holder == holder) return &all_[i];
    }
    return nullptr;
  }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// One more than there is room for is not watched.
  void add(const Held& held) noexcept {
    if (count_ < all_.size()) all_[count_++] = held;
  }
  /// The last one of `mutex`, if there is one: a recursive mutex is held several times.
  void remove(const pthread_mutex_t* mutex) noexcept {
    for (std::size_t i = count_; i > 0; --i) {
      if (all_[i - 1].mutex != mutex) continue;
      for (std::size_t j = i; j < count_; ++j) all_[j - 1] = all_[j];
      --count_;
      return;
    }
  }
  enum class Finding : bool { waits_with_it, wants_it };
  /// Whether it is asked for the first time. There is room for a few.
  bool is_new(const void* place, Finding finding) noexcept {
    for (std::size_t i = 0; i < told_count_; ++i) {
      if (told_[i].place == place && told_[i].finding == finding) return false;
    }
    if (told_count_ == told_.size()) return false;
    told_[told_count_++] = {place, finding};
    return true;
  }

 private:
  std::array<Held, 64> all_;
  std::size_t count_ = 0;
  struct Told {
    const void* place;
    Finding finding;
  };
  std::array<Told, 64> told_;
  std::size_t told_count_ = 0;
};

/// Before `function` leaves the stack of the current coroutine: warns if that holds a mutex.
void warn_of_held_mutexes(HeldMutexes& held, const char* function) noexcept;

}  // namespace weft::bridge
