#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft::bridge {

/// The locks that coroutines of a thread hold, as far as hooked calls have locked them: mutexes,
/// read-write locks, and initialisations that are done once. HeldLocks has no memory of its own,
/// because an allocator may lock mutexes.
class HeldLocks {
 public:
  struct Held {
    const void* lock;
    std::uint64_t holder;  // id of the coroutine
    const void* place;     // where it was locked
    const char* what;      // "a mutex"
  };

  /// The first of `lock` that a coroutine other than `me` holds; null if there is none.
  [[nodiscard]] const Held* of_others(const void* lock, std::uint64_t me) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (all_[i].lock == lock && all_[i].holder != me) return &all_[i];
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
  /// Does nothing when the table is full: that lock is not watched.
  void add(const Held& held) noexcept {
    if (count_ < all_.size()) all_[count_++] = held;
  }
  /// Removes the last entry of `lock`, if there is one: a recursive mutex is held several times.
  void remove(const void* lock) noexcept {
    for (std::size_t i = count_; i > 0; --i) {
      if (all_[i - 1].lock != lock) continue;
      for (std::size_t j = i; j < count_; ++j) all_[j - 1] = all_[j];
      --count_;
      return;
    }
  }
  enum class Finding : bool { waits_with_it, wants_it };
  /// Whether `finding` was not reported for `place` before. False also when the table is full.
  bool is_first_report(const void* place, Finding finding) noexcept {
    for (std::size_t i = 0; i < reported_count_; ++i) {
      if (reported_[i].place == place && reported_[i].finding == finding) return false;
    }
    if (reported_count_ == reported_.size()) return false;
    reported_[reported_count_++] = {place, finding};
    return true;
  }

 private:
  std::array<Held, 64> all_;
  std::size_t count_ = 0;
  struct Reported {
    const void* place;
    Finding finding;
  };
  std::array<Reported, 64> reported_;
  std::size_t reported_count_ = 0;
};

/// Call before `function` leaves the stack of the current coroutine: warns if that coroutine holds
/// a lock.
void warn_of_held_mutexes(HeldLocks& held, const char* function) noexcept;

}  // namespace weft::bridge
