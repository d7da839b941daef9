#include "pipe_timeouts.hpp"

#include <algorithm>
#include <chrono>

#include "replaced_functions.hpp"
#include "request.hpp"
#include "streams_in_use.hpp"
#include "weft/bridge.hpp"

namespace weft_php {
namespace {

zif_handler set_timeout_of_engine = nullptr;
zif_handler describe_of_engine = nullptr;

/// The engine returns false for streams without timeouts of their own.
void set_timeout(INTERNAL_FUNCTION_PARAMETERS) {
  set_timeout_of_engine(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (EG(exception) != nullptr || Z_TYPE_P(return_value) != IS_FALSE) return;
  const int descriptor = descriptor_of(ZEND_CALL_ARG(execute_data, 1));
  if (descriptor < 0 || !weft::bridge::is_installed()) return;
  const zend_long seconds = zval_get_long(ZEND_CALL_ARG(execute_data, 2));
  const zend_long microseconds =
      ZEND_NUM_ARGS() > 2 ? zval_get_long(ZEND_CALL_ARG(execute_data, 3)) : 0;
  // As for sockets: zero does not wait at all.
  constexpr std::chrono::nanoseconds shortest{1};
  constexpr zend_long longest = 1'000'000'000;  // seconds
  const std::chrono::nanoseconds time = std::chrono::seconds{std::min(seconds, longest)} +
                                        std::chrono::microseconds{std::min(microseconds, longest)};
  weft::bridge::set_read_timeout(descriptor, std::max(time, shortest));
  RETVAL_BOOL(request != nullptr);  // without a request it has no effect yet
}

void describe(INTERNAL_FUNCTION_PARAMETERS) {
  describe_of_engine(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (request == nullptr || Z_TYPE_P(return_value) != IS_ARRAY) return;
  const int descriptor = descriptor_of(ZEND_CALL_ARG(execute_data, 1));
  if (descriptor < 0 || !weft::bridge::has_read_timed_out(descriptor)) return;
  zval yes;
  ZVAL_TRUE(&yes);
  zend_hash_str_update(Z_ARRVAL_P(return_value), ZEND_STRL("timed_out"), &yes);
}

}  // namespace

void give_pipes_timeouts() {
  set_timeout_of_engine = replace_function("stream_set_timeout", set_timeout);
  replace_function("socket_set_timeout", set_timeout);
  describe_of_engine = replace_function("stream_get_meta_data", describe);
  replace_function("socket_get_status", describe);
}

}  // namespace weft_php
