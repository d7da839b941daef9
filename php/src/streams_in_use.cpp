#include "streams_in_use.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "boundary.hpp"
#include "classes.hpp"
#include "place.hpp"
#include "replaced_functions.hpp"
#include "request.hpp"
#include "weft/extend/foreign_descriptor.hpp"

namespace weft_php {
namespace {

/// How many parked calls use a resource, by its number, which is never given twice in a request.
std::unordered_map<zend_long, unsigned> uses;

struct Hold {
  const CoroutineRecord* by;
  Holds how;
};
struct HoldsOfStream {
  std::vector<Hold> all;
  weft::WaitGroup end;
};
std::unordered_map<zend_long, std::shared_ptr<HoldsOfStream>> held;

zif_handler close_file = nullptr;
zif_handler close_process = nullptr;
zif_handler close_directory = nullptr;
zif_handler close_socket = nullptr;

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

int descriptor_of(zend_resource& resource) {
  auto* const stream = static_cast<php_stream*>(
      zend_fetch_resource2(&resource, nullptr, php_file_le_stream(), php_file_le_pstream()));
  if (stream == nullptr) return -1;
  int descriptor = -1;
  const int as = PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL;
  const bool has_one =
      php_stream_cast(stream, as, reinterpret_cast<void**>(&descriptor), 0) == SUCCESS;
  return has_one ? descriptor : -1;
}

}  // namespace

int descriptor_of(zval* argument) {
  ZVAL_DEREF(argument);
  return Z_TYPE_P(argument) == IS_RESOURCE ? descriptor_of(*Z_RES_P(argument)) : -1;
}

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

bool begin_hold(zend_long number, Holds how) {
  std::shared_ptr<HoldsOfStream>& stream = held[number];
  if (stream == nullptr) stream = std::make_shared<HoldsOfStream>();
  const auto conflicts = [how](const Hold& hold) {
    const unsigned both = static_cast<unsigned>(hold.how) & static_cast<unsigned>(how);
    return both != 0 && hold.by != request->current;
  };
  const auto other = std::ranges::find_if(stream->all, conflicts);
  if (other != stream->all.end()) {
    throw_already_in_use(other->by->self()->handle);
    return false;
  }
  stream->all.push_back({request->current, how});
  stream->end.add();
  return true;
}

void end_hold(zend_long number, Holds how) noexcept {
  const auto found = held.find(number);
  if (found == held.end()) return;
  const std::shared_ptr<HoldsOfStream> stream = found->second;
  const auto mine = std::ranges::find_if(stream->all, [how](const Hold& hold) {
    return hold.by == request->current && hold.how == how;
  });
  if (mine == stream->all.end()) return;
  stream->all.erase(mine);
  if (stream->all.empty()) held.erase(found);
  stream->end.done();
}

void throw_already_in_use(std::uint32_t coroutine) {
  zend_throw_exception_ex(ce_Async_AsyncException, 0,
                          "The stream or connection is already in use by coroutine %u", coroutine);
}

namespace {

/// The holds of other coroutines; null if there are none, or the current one has some too: as in
/// stock PHP, a function that closes the stream it was called from has itself to blame.
std::shared_ptr<HoldsOfStream> holds_of_others(zend_long number) {
  const auto found = held.find(number);
  if (found == held.end()) return nullptr;
  const bool is_mine = std::ranges::any_of(
      found->second->all, [](const Hold& hold) { return hold.by == request->current; });
  return is_mine ? nullptr : found->second;
}

/// Suspends until no other coroutine uses the stream; those that are parked on its descriptor wake
/// up. False if an exception is in flight.
bool wait_until_left(zend_resource& resource) {
  const weft::Place place = place_here();
  const auto number = static_cast<zend_long>(resource.handle);
  while (true) {
    const int descriptor = uses.contains(number) ? descriptor_of(resource) : -1;
    if (descriptor >= 0) {
      if (!wait_in_runtime([&] {
            weft::descriptor_closed(descriptor);
            weft::suspend(place);
          })) {
        return false;
      }
    } else if (const auto others = holds_of_others(number)) {
      if (!wait_in_runtime([&] { others->end.wait({}, place); })) return false;
    } else {
      return true;
    }
  }
}

/// Closes `resource`, a stream, by calling `close`: alone.
void close_alone(zend_resource& resource, zif_handler close, INTERNAL_FUNCTION_PARAMETERS) {
  const auto number = static_cast<zend_long>(resource.handle);
  if (!wait_until_left(resource) || !begin_hold(number, Holds::closing)) return;
  close(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  end_hold(number, Holds::closing);
}

void close_when_left(zif_handler close, INTERNAL_FUNCTION_PARAMETERS) {
  zval* argument = nullptr;
  if (request != nullptr && ZEND_NUM_ARGS() == 1) {
    argument = ZEND_CALL_ARG(execute_data, 1);
    ZVAL_DEREF(argument);
  }
  if (argument == nullptr || Z_TYPE_P(argument) != IS_RESOURCE) {
    return close(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
  close_alone(*Z_RES_P(argument), close, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void close_file_when_left(INTERNAL_FUNCTION_PARAMETERS) {
  close_when_left(close_file, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void close_process_when_left(INTERNAL_FUNCTION_PARAMETERS) {
  close_when_left(close_process, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void close_directory_when_left(INTERNAL_FUNCTION_PARAMETERS) {
  close_when_left(close_directory, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/// The socket may have been imported from a stream, which is closed with it.
void close_socket_when_left(INTERNAL_FUNCTION_PARAMETERS) {
  zend_resource* stream = nullptr;
  const zval* const socket = ZEND_NUM_ARGS() == 1 ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
  if (request != nullptr && socket != nullptr && Z_TYPE_P(socket) == IS_OBJECT) {
    visit_references(*Z_OBJ_P(socket), [&](const zval& found) {
      if (Z_TYPE(found) == IS_RESOURCE) stream = Z_RES(found);
    });
  }
  if (stream == nullptr) return close_socket(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  close_alone(*stream, close_socket, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/// fclose() has other names, in other extensions.
void replace_all_names(zif_handler original, zif_handler with) {
  zval* function = nullptr;
  ZEND_HASH_FOREACH_VAL(CG(function_table), function) {
    auto& internal = static_cast<zend_function*>(Z_PTR_P(function))->internal_function;
    if (internal.type == ZEND_INTERNAL_FUNCTION && internal.handler == original) {
      internal.handler = with;
    }
  }
  ZEND_HASH_FOREACH_END();
}

}  // namespace

void forget_uses_of_streams() noexcept {
  uses.clear();
  held.clear();
}

void close_streams_when_left() {
  close_file = replace_function("fclose", close_file_when_left);
  replace_all_names(close_file, close_file_when_left);
  close_process = replace_function("pclose", close_process_when_left);
  close_directory = replace_function("closedir", close_directory_when_left);
  close_socket = replace_function("socket_close", close_socket_when_left);
}

}  // namespace weft_php
