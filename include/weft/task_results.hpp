#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/error.hpp"
#include "weft/result.hpp"
#include "weft/task_key.hpp"

namespace weft {

/// What to do with errors when all results of a group are requested.
enum class TaskErrors : std::uint8_t {
  fail,    ///< they are thrown together as a CompositeError
  ignore,  ///< they are left out, and count as handled
};

/// A task that has ended, as iteration returns it.
template <class T>
struct TaskOutcome {
  /// The key of the task.
  TaskKey key = {};
  /// How it ended.
  Result<T> outcome = {};
};

namespace detail {

/// Copyable only if `copyable`; a std::vector of a non-copyable type only fails when it is copied.
template <bool copyable>
struct CopiesLike {};
template <>
struct CopiesLike<false> {
  CopiesLike() = default;
  CopiesLike(CopiesLike&&) noexcept = default;
  CopiesLike& operator=(CopiesLike&&) noexcept = default;
  CopiesLike(const CopiesLike&) = delete;
  CopiesLike& operator=(const CopiesLike&) = delete;
  ~CopiesLike() = default;
};

}  // namespace detail

/// The results of a group by key, in the order in which the tasks were spawned. Converts to a plain
/// vector of the values.
template <class T>
class TaskResults : detail::CopiesLike<std::is_void_v<T> || std::is_copy_constructible_v<T>> {
 public:
  /// The result of one task; std::monostate for void.
  using Value = typename Result<T>::Stored;  // of a void task: std::monostate
  /// The results without their keys.
  using Values = std::vector<Value>;

  /// How many results there are.
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  /// Whether there are none.
  [[nodiscard]] bool is_empty() const noexcept { return keys_.empty(); }
  /// The keys, in the order of the values.
  [[nodiscard]] const std::vector<TaskKey>& keys() const noexcept { return keys_; }
  /// The results, in the order of the keys.
  [[nodiscard]] const Values& values() const& noexcept { return values_; }
  [[nodiscard]] Values& values() & noexcept { return values_; }
  [[nodiscard]] Values values() && noexcept { return std::move(values_); }
  operator Values() const& { return values_; }         // NOLINT(google-explicit-constructor)
  operator Values() && { return std::move(values_); }  // NOLINT(google-explicit-constructor)

  /// The value of the task `key`, or null. A linear search.
  [[nodiscard]] const Value* find(const TaskKey& key) const noexcept {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == key) return &values_[i];
    }
    return nullptr;
  }
  /// The same; throws ValueError if there is none.
  [[nodiscard]] const Value& at(const TaskKey& key) const {
    if (const Value* value = find(key)) return *value;
    throw ValueError{"There is no result with the key " + key.text()};
  }
  [[nodiscard]] auto begin() const noexcept { return values_.begin(); }
  [[nodiscard]] auto end() const noexcept { return values_.end(); }

  /// Makes room for `size` results. For groups.
  void reserve(std::size_t size) {
    keys_.reserve(size);
    values_.reserve(size);
  }
  /// Adds a result. For groups.
  void add(const TaskKey& key, Value&& value) {
    keys_.push_back(key);
    values_.push_back(std::move(value));
  }

 private:
  std::vector<TaskKey> keys_;
  Values values_;
};

}  // namespace weft
