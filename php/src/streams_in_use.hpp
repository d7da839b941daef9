#pragma once

#include <cstdint>

#include "engine.hpp"

namespace weft_php {

/// Call them when the PHP function of `frame` parks, and when it resumes: the streams among its
/// arguments are in use meanwhile. Closing one would free what the function goes on with.
void begin_use_of_streams(zend_execute_data* frame) noexcept;
void end_use_of_streams(zend_execute_data* frame) noexcept;

/// How a call holds a stream. Others may not do the same meanwhile, nor close it.
enum class Holds : unsigned { open = 0, reading = 1, writing = 2, closing = 3 };
/// The current coroutine is in a call that goes on with this stream, a resource with this number,
/// however it parks. False, with an exception, if another coroutine is in one of the same kind.
[[nodiscard]] bool begin_hold(zend_long number, Holds how);
void end_hold(zend_long number, Holds how) noexcept;

/// Throws the AsyncException of a stream or connection that this coroutine, an object, uses.
void throw_already_in_use(std::uint32_t coroutine);
/// What an object of an extension refers to, as the collector of cycles is told.
template <class Visit>
void visit_references(zend_object& object, Visit visit) {
  zval* values = nullptr;
  int count = 0;
  object.handlers->get_gc(&object, &values, &count);
  for (int i = 0; i < count; ++i) visit(values[i]);
}
/// The descriptor of an open stream; -1 if there is none.
[[nodiscard]] int descriptor_of(zval* stream);
/// Forgets the uses of coroutines that a fatal error has dropped.
void forget_uses_of_streams() noexcept;

/// From now on fclose() and its relatives wake the coroutines that are parked on their stream, and
/// wait until these have left it.
void close_streams_when_left();

}  // namespace weft_php
