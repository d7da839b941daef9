#include "no_suspension.hpp"

#include "classes.hpp"

namespace weft_php {
namespace {

decltype(zend_compile_file) compile_file = nullptr;
decltype(zend_compile_string) compile_string = nullptr;
decltype(sapi_module_struct::ub_write) write_output = nullptr;

zend_op_array* compile_file_guarded(zend_file_handle* file, int type) {
  if (request == nullptr) return compile_file(file, type);
  // The source is read first, where a stream wrapper of the user may suspend: the compiler has not
  // begun yet.
  char* source = nullptr;
  size_t size = 0;
  if (zend_stream_fixup(file, &source, &size) == FAILURE || EG(exception) != nullptr) {
    if (EG(exception) != nullptr) return nullptr;
  }
  zend_op_array* volatile compiled = nullptr;
  without_suspension([&] { compiled = compile_file(file, type); });
  return compiled;
}

zend_op_array* compile_string_guarded(zend_string* source, const char* name,
                                      zend_compile_position position) {
  zend_op_array* volatile compiled = nullptr;
  without_suspension([&] { compiled = compile_string(source, name, position); });
  return compiled;
}

size_t write_output_guarded(const char* text, size_t size) {
  volatile size_t written = 0;
  without_suspension([&] { written = write_output(text, size); });
  return written;
}

}  // namespace

void guard_places_without_suspension() {
  compile_file = std::exchange(zend_compile_file, compile_file_guarded);
  compile_string = std::exchange(zend_compile_string, compile_string_guarded);
  write_output = std::exchange(sapi_module.ub_write, write_output_guarded);
}

void refuse_to_suspend() {
  zend_throw_exception(ce_Async_AsyncException,
                       "A coroutine cannot be suspended while PHP compiles or prints", 0);
}

}  // namespace weft_php
