#pragma once

#include <cstring>
#include <exception>
#include <typeinfo>

namespace weft {

/// Whether a handler for `T` would catch `error`, without the cost of throwing it.
template <class T>
[[nodiscard]] bool holds(const std::exception_ptr& error) noexcept {
  if (error == nullptr) return false;
#if defined(__GLIBCXX__)
  // The test that the unwinder makes at a handler.
  const std::type_info* type = error.__cxa_exception_type();
  if (type == nullptr) return false;
  if (*type == typeid(T)) return true;
  static_assert(sizeof error == sizeof(void*));
  void* object = nullptr;
  std::memcpy(&object, static_cast<const void*>(&error), sizeof object);
  constexpr unsigned by_value = 1;
  return typeid(T).__do_catch(type, &object, by_value);
#else
  try {
    std::rethrow_exception(error);
  } catch (const T&) {
    return true;
  } catch (...) {
    return false;
  }
#endif
}

}  // namespace weft
