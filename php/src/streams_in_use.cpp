#include "streams_in_use.hpp"

#include <unordered_map>

#include "boundary.hpp"
#include "no_suspension.hpp"
#include "place.hpp"
#include "replaced_functions.hpp"
#include "request.hpp"
#include "weft/extend/foreign_descriptor.hpp"

namespace weft_php {
namespace {

/// How many parked calls use a resource, by its number, which is never given twice in a request.
std::unordered_map<zend_long, unsigned> uses;

zif_handler close_file = nullptr;
zif_handler close_process = nullptr;

template <class Visit>
void visit_streams(zend_execute_data* frame, Visit visit) {
  if (frame == nullptr || frame->func == nullptr || frame->func->type != ZEND_INTERNAL_FUNCTION) {
    return;
  }
  for (std::uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(frame); ++i) {
    zval* argument = ZEND_CALL_ARG(frame, i);
    ZVAL_DEREF(argument);
    if (Z_TYPE_P(argument) == IS_RESOURCE) visit(static_cast<zend_long>(Z_RES_HANDLE_P(argument)));
  }
}

}  // namespace

int descriptor_of(zval* argument) {
  ZVAL_DEREF(argument);
  if (Z_TYPE_P(argument) != IS_RESOURCE) return -1;
  auto* const stream = static_cast<php_stream*>(zend_fetch_resource2(
      Z_RES_P(argument), nullptr, php_file_le_stream(), php_file_le_pstream()));
  if (stream == nullptr) return -1;
  int descriptor = -1;
  const int as = PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL;
  const bool has_one =
      php_stream_cast(stream, as, reinterpret_cast<void**>(&descriptor), 0) == SUCCESS;
  return has_one ? descriptor : -1;
}

namespace {

/// Wakes the coroutines that are parked on the stream of the call, and suspends until they have
/// left it. False if an exception is in flight.
bool is_left_by_others(zend_execute_data* execute_data) {
  if (request == nullptr || ZEND_NUM_ARGS() != 1) return true;
  zval* argument = ZEND_CALL_ARG(execute_data, 1);
  ZVAL_DEREF(argument);
  if (Z_TYPE_P(argument) != IS_RESOURCE) return true;
  const weft::Place place = place_here();
  while (uses.contains(static_cast<zend_long>(Z_RES_HANDLE_P(argument)))) {
    const int descriptor = descriptor_of(argument);
    if (descriptor < 0) return true;
    if (!may_suspend_here()) return false;
    if (!in_runtime([&] {
          weft::descriptor_closed(descriptor);
          weft::suspend(place);
        })) {
      return false;
    }
  }
  return true;
}

void close_file_when_left(INTERNAL_FUNCTION_PARAMETERS) {
  if (is_left_by_others(execute_data)) close_file(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void close_process_when_left(INTERNAL_FUNCTION_PARAMETERS) {
  if (is_left_by_others(execute_data)) close_process(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

}  // namespace

void begin_use_of_streams(zend_execute_data* frame) noexcept {
  visit_streams(frame, [](zend_long number) { ++uses[number]; });
}

void end_use_of_streams(zend_execute_data* frame) noexcept {
  visit_streams(frame, [](zend_long number) {
    if (const auto found = uses.find(number); found != uses.end() && --found->second == 0) {
      uses.erase(found);
    }
  });
}

void forget_uses_of_streams() noexcept { uses.clear(); }

void close_streams_when_left() {
  close_file = replace_function("fclose", close_file_when_left);
  close_process = replace_function("pclose", close_process_when_left);
}

}  // namespace weft_php
