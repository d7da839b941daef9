#include "replaced_functions.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "boundary.hpp"
#include "classes.hpp"
#include "place.hpp"

// Functions of other extensions for which the bridge is not enough. Each treats a case that differs
// among coroutines, and calls the original for all others.
namespace weft_php {
namespace {

zif_handler fork_process = nullptr;
zif_handler select_streams = nullptr;

bool has_other_coroutines() {
  std::size_t count = 0;
  weft::for_each_coroutine([&](weft::CoroutineBase& base) {
    if (!base.is_completed()) ++count;
  });
  return count > 1;
}

/// Refuses while there are other coroutines: the child would have copies of them.
void fork_alone(INTERNAL_FUNCTION_PARAMETERS) {
  if (request != nullptr && has_other_coroutines()) {
    zend_throw_error(nullptr,
                     "Cannot fork() while coroutines other than the main one are running. fork() "
                     "is only allowed when just the main coroutine is active.");
    return;
  }
  fork_process(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

bool is_empty(const zval* streams) {
  if (Z_ISREF_P(streams)) streams = Z_REFVAL_P(streams);
  return Z_TYPE_P(streams) == IS_NULL ||
         (Z_TYPE_P(streams) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(streams)) == 0);
}

/// Without streams stock PHP throws; here the call waits for its timeout and finds none.
void select_streams_or_wait(INTERNAL_FUNCTION_PARAMETERS) {
  zval* const arguments = ZEND_CALL_ARG(execute_data, 1);
  const std::uint32_t count = ZEND_NUM_ARGS();
  const bool waits =
      request != nullptr && count >= 4 && count <= 5 && is_empty(&arguments[0]) &&
      is_empty(&arguments[1]) && is_empty(&arguments[2]) && Z_TYPE(arguments[3]) == IS_LONG &&
      Z_LVAL(arguments[3]) >= 0 &&
      (count == 4 || Z_TYPE(arguments[4]) == IS_LONG || Z_TYPE(arguments[4]) == IS_NULL);
  if (!waits) return select_streams(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  const zend_long microseconds =
      count == 5 && Z_TYPE(arguments[4]) == IS_LONG ? Z_LVAL(arguments[4]) : 0;
  constexpr zend_long longest = 1'000'000'000;  // seconds: the sum fits
  const auto time =
      std::chrono::seconds{std::min(Z_LVAL(arguments[3]), longest)} +
      std::chrono::microseconds{std::clamp<zend_long>(microseconds, 0, longest * 1'000'000)};
  const weft::Place place = place_here();
  if (!wait_in_runtime([&] { weft::delay(time, place); })) return;
  RETURN_LONG(0);
}

}  // namespace

zif_handler replace_function(const char* name, zif_handler with) {
  auto* const function = static_cast<zend_function*>(
      zend_hash_str_find_ptr(CG(function_table), name, std::strlen(name)));
  if (function == nullptr || function->type != ZEND_INTERNAL_FUNCTION) return nullptr;
  return std::exchange(function->internal_function.handler, with);
}

void replace_functions() {
  fork_process = replace_function("pcntl_fork", fork_alone);
  select_streams = replace_function("stream_select", select_streams_or_wait);
}

}  // namespace weft_php
