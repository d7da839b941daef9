#include "user_streams.hpp"

#include "replaced_functions.hpp"
#include "request.hpp"
#include "streams_in_use.hpp"

namespace weft_php {
namespace {

zif_handler register_wrapper = nullptr;

/// The operations of the engine for files and directories, and ours, which call them.
const php_stream_wrapper_ops* wrapper_of_engine = nullptr;
php_stream_wrapper_ops wrapper_in_turn;
php_stream_ops file_in_turn;
php_stream_ops directory_in_turn;

const php_stream_ops& engine_of(const php_stream& stream) {
  return stream.ops == &directory_in_turn ? php_stream_userspace_dir_ops : php_stream_userspace_ops;
}

/// Calls `operation`, unless another coroutine is in one of the same kind: `refused` then, with an
/// exception.
template <class Operation>
auto alone(php_stream* stream, Holds how, Operation operation, decltype(operation()) refused) {
  if (request == nullptr || stream->res == nullptr) return operation();
  const auto number = static_cast<zend_long>(stream->res->handle);
  if (!begin_hold(number, how)) return refused;
  const auto result = operation();
  end_hold(number, how);
  return result;
}

ssize_t read_in_turn(php_stream* stream, char* buffer, size_t size) {
  return alone(
      stream, Holds::reading, [&] { return engine_of(*stream).read(stream, buffer, size); },
      ssize_t{-1});
}

ssize_t write_in_turn(php_stream* stream, const char* buffer, size_t size) {
  return alone(
      stream, Holds::writing, [&] { return engine_of(*stream).write(stream, buffer, size); },
      ssize_t{-1});
}

int flush_in_turn(php_stream* stream) {
  return alone(
      stream, Holds::writing, [&] { return engine_of(*stream).flush(stream); }, -1);
}

/// Moves the position of both directions.
int seek_in_turn(php_stream* stream, zend_off_t offset, int whence, zend_off_t* position) {
  return alone(
      stream, Holds::closing,
      [&] { return engine_of(*stream).seek(stream, offset, whence, position); }, -1);
}

php_stream_ops in_turn(const php_stream_ops& engine) {
  php_stream_ops made = engine;
  made.read = read_in_turn;
  if (engine.write != nullptr) made.write = write_in_turn;
  if (engine.flush != nullptr) made.flush = flush_in_turn;
  if (engine.seek != nullptr) made.seek = seek_in_turn;
  return made;
}

php_stream* open_file(php_stream_wrapper* wrapper, const char* name, const char* mode, int options,
                      zend_string** opened, php_stream_context* context STREAMS_DC) {
  php_stream* const stream = wrapper_of_engine->stream_opener(wrapper, name, mode, options, opened,
                                                              context STREAMS_REL_CC);
  if (stream != nullptr && stream->ops == &php_stream_userspace_ops) stream->ops = &file_in_turn;
  return stream;
}

php_stream* open_directory(php_stream_wrapper* wrapper, const char* name, const char* mode,
                           int options, zend_string** opened,
                           php_stream_context* context STREAMS_DC) {
  php_stream* const stream =
      wrapper_of_engine->dir_opener(wrapper, name, mode, options, opened, context STREAMS_REL_CC);
  if (stream != nullptr && stream->ops == &php_stream_userspace_dir_ops) {
    stream->ops = &directory_in_turn;
  }
  return stream;
}

/// All wrappers of the user have the same operations, which are not exported.
void register_in_turn(INTERNAL_FUNCTION_PARAMETERS) {
  register_wrapper(INTERNAL_FUNCTION_PARAM_PASSTHRU);
  if (Z_TYPE_P(return_value) != IS_TRUE) return;
  auto* const wrapper = static_cast<php_stream_wrapper*>(zend_hash_find_ptr(
      php_stream_get_url_stream_wrappers_hash(), Z_STR_P(ZEND_CALL_ARG(execute_data, 1))));
  if (wrapper == nullptr) return;
  if (wrapper_of_engine == nullptr) {
    wrapper_of_engine = wrapper->wops;
    wrapper_in_turn = *wrapper_of_engine;
    wrapper_in_turn.stream_opener = open_file;
    wrapper_in_turn.dir_opener = open_directory;
  }
  wrapper->wops = &wrapper_in_turn;
}

}  // namespace

void read_user_streams_in_turn() {
  file_in_turn = in_turn(php_stream_userspace_ops);
  directory_in_turn = in_turn(php_stream_userspace_dir_ops);
  register_wrapper = replace_function("stream_wrapper_register", register_in_turn);
  replace_function("stream_register_wrapper", register_in_turn);
}

}  // namespace weft_php
