#pragma once

#include "weft/detail/abi.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/error.hpp"

namespace weft {

namespace detail {
class Held;
}  // namespace detail

/// The name of a value of type T. The object itself is the key, so it must outlive its use; usually
/// it is `inline weft::ValueKey<std::string> user;` at namespace scope.
template <class T>
class ValueKey {
 public:
  ValueKey() noexcept = default;
  ValueKey(const ValueKey&) = delete;
  ValueKey& operator=(const ValueKey&) = delete;

 private:
  char identity_ = 0;  // two keys never share an address
};

/// A value was not found, or set twice.
class ValuesError : public Error {
 public:
  using Error::Error;
};

/// Values by key, looked up here, then in the parent scopes. Keys are ValueKey objects, which know
/// the type, or strings.
class Values {
 public:
  Values() noexcept = default;
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  /// Sets a value. Throws ValuesError if `key` has a value here already; parent scopes do not
  /// count.
  template <class T, class U>
  Values& set(const ValueKey<T>& key, U&& value) {
    return put({&key, {}}, std::make_shared<T>(std::forward<U>(value)), &type_of<T>, false);
  }
  /// Sets a value, replacing one that is here.
  template <class T, class U>
  Values& replace(const ValueKey<T>& key, U&& value) {
    return put({&key, {}}, std::make_shared<T>(std::forward<U>(value)), &type_of<T>, true);
  }
  /// The value here or in the nearest parent scope; null if there is none.
  template <class T>
  [[nodiscard]] const T* find(const ValueKey<T>& key) const noexcept {
    return static_cast<const T*>(search({&key, {}}, &type_of<T>));
  }
  /// The same without the parent scopes.
  template <class T>
  [[nodiscard]] const T* find_local(const ValueKey<T>& key) const noexcept {
    return static_cast<const T*>(find_value({&key, {}}, &type_of<T>));
  }
  /// The value here or in the nearest parent scope. Throws ValuesError if there is none.
  template <class T>
  [[nodiscard]] const T& get(const ValueKey<T>& key) const {
    return *static_cast<const T*>(demand(find(key)));
  }
  /// Whether a value is found for `key`, here or in a scope above.
  template <class T>
  [[nodiscard]] bool has(const ValueKey<T>& key) const noexcept {
    return find(key) != nullptr;
  }
  /// Whether a value is set for `key` here.
  template <class T>
  [[nodiscard]] bool has_local(const ValueKey<T>& key) const noexcept {
    return find_local(key) != nullptr;
  }
  /// Removes the value here, if there is one.
  template <class T>
  Values& unset(const ValueKey<T>& key) noexcept {
    return remove({&key, {}});
  }

  // The same with strings. The type is part of the key: a value of another type is not found.
  template <class T>
  Values& set(std::string_view key, T value) {
    return put({nullptr, key}, std::make_shared<T>(std::move(value)), &type_of<T>, false);
  }
  template <class T>
  Values& replace(std::string_view key, T value) {
    return put({nullptr, key}, std::make_shared<T>(std::move(value)), &type_of<T>, true);
  }
  template <class T>
  [[nodiscard]] const T* find(std::string_view key) const noexcept {
    return static_cast<const T*>(search({nullptr, key}, &type_of<T>));
  }
  template <class T>
  [[nodiscard]] const T* find_local(std::string_view key) const noexcept {
    return static_cast<const T*>(find_value({nullptr, key}, &type_of<T>));
  }
  template <class T>
  [[nodiscard]] const T& get(std::string_view key) const {
    return *static_cast<const T*>(demand(find<T>(key)));
  }
  [[nodiscard]] bool has(std::string_view key) const noexcept;
  [[nodiscard]] bool has_local(std::string_view key) const noexcept;
  Values& unset(std::string_view key) noexcept { return remove({nullptr, key}); }

 private:
  friend class detail::Held;
  friend Values& values();
  friend Values& root_values();
  struct Key {
    const void* object;
    std::string_view text;
  };
  struct Entry {
    const void* object;
    std::string text;
    std::shared_ptr<void> value;
    const void* type;
  };
  template <class T>
  static constexpr char type_of = 0;

  Values& put(Key key, std::shared_ptr<void> value, const void* type, bool replace);
  Values& remove(Key key) noexcept;
  [[nodiscard]] const Entry* entry(Key key) const noexcept;
  [[nodiscard]] const void* find_value(Key key, const void* type) const noexcept;
  [[nodiscard]] const void* search(Key key, const void* type) const noexcept;
  [[nodiscard]] const Entry* entry_above(Key key) const noexcept;
  [[nodiscard]] static const void* demand(const void* value);

  std::vector<Entry> entries_;
  const void* owner_ = nullptr;  // the scope it belongs to; null: has no parents
};

/// The values of the current scope, seen by all its coroutines and child scopes.
[[nodiscard]] Values& values();
/// The values of the current coroutine alone; they are not inherited.
[[nodiscard]] Values& coroutine_values();
/// The values of the main scope. Outside any other scope the same as values().
[[nodiscard]] Values& root_values();

}  // namespace weft
