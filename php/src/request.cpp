#include "request.hpp"

#include "blocking_calls.hpp"
#include "boundary.hpp"
#include "classes.hpp"
#include "connections_in_use.hpp"
#include "deadlock_report.hpp"
#include "settings.hpp"
#include "streams_in_use.hpp"

namespace weft_php {
namespace {

/// The exception handler while a cancellation may leave main.
constexpr char end_main[] = "weft\\end_main";

/// The exception that `error` is, which comes from no line of the script; null if it is none.
zend_object* outside_of_lines(std::exception_ptr error) {
  if (error == nullptr || unwound(error) != nullptr) return nullptr;
  zend_execute_data* const frame = std::exchange(EG(current_execute_data), nullptr);
  zend_object* const exception = as_object(error).detach_object();
  EG(current_execute_data) = frame;
  return exception;
}

/// Drains until the destructors of what the last coroutines have left spawn no others.
void drain_all(Request& request) {
  while (request.drain()) {
    const weft::Stats now = weft::stats();
    if (now.coroutines == 1 && now.deferred_cleanups == 0) return;
  }
}

}  // namespace

FileNames::~FileNames() {
  for (zend_string* const name : names_) zend_string_release(name);
}

void FileNames::add(zend_string* name) {
  last_ = name;
  if (names_.insert(name).second) zend_string_addref(name);
}

Request::Request() {
  weft::Options options;
  options.stack_size = static_cast<std::size_t>(settings.stack_size);
  options.exit_throws = true;
  options.on_warning = [this](std::string_view text) { warn(text); };
  options.on_deadlock = [this] {
    if (settings.debug_deadlock) note(deadlock_report());
  };
  runtime_.emplace(std::move(options));
}

void Request::adopt_main() {
  main_ = &AdoptedCoroutine::adopt(weft::current().base());
  main_->in_engine = true;
  current = main_;
}

Request::~Request() = default;

bool start() {
  if (request != nullptr) return true;
  if (request_is_over) {
    zend_throw_exception(ce_Async_AsyncException, "The request has ended", 0);
    return false;
  }
  try {
    request = new Request;
    request->adopt_main();
    take_part_in_blocking_calls(true);
    return true;
  } catch (const std::exception& error) {
    delete std::exchange(request, nullptr);
    zend_throw_exception(ce_Async_AsyncException, error.what(), 0);
    return false;
  }
}

bool Request::handle_news(CoroutineRecord& me, std::exception_ptr& error) {
  if (bailed_) [[unlikely]] {
    error = nullptr;
    zend_bailout();
  }
  if (exit_caller_ == &me) {
    exit_caller_ = nullptr;
    warnings_.clear();  // the runtime may have taken the exit for an error
    if (unwound(error) == nullptr) error = std::make_exception_ptr(Unwound{Unwound::How::exit});
  }
  has_news_ = exit_caller_ != nullptr;
  volatile bool bailed = false;
  zend_try {
    attic.empty();
    print_notes();
    if (error != nullptr) throw_from_wait(me, error);
  }
  zend_catch { bailed = true; }
  zend_end_try();
  error = nullptr;
  if (bailed) zend_bailout();
  return EG(exception) == nullptr;
}

void Request::left_by(Unwound::How how, CoroutineRecord* caller) noexcept {
  if (how == Unwound::How::exit) {
    exiting_ = true;
    if (caller != nullptr) {
      exit_caller_ = caller;
      has_news_ = true;
    }
  } else {
    bail();
  }
  weft::shutdown();
}

void Request::throw_from_wait(CoroutineRecord& me, const std::exception_ptr& error) {
  if (&me == main_ && exiting_ && weft::is_cancellation(error)) return zend_throw_unwind_exit();
  throw_in_php(error);
}

void Request::expect_cancellation_in_main() {
  if (current == main_ && !is_main_quiet()) quieten_main();
}

bool Request::is_main_quiet() noexcept {
  const zval& handler = EG(user_exception_handler);
  return Z_TYPE(handler) == IS_STRING &&
         zend_string_equals_cstr(Z_STR(handler), ZEND_STRL(end_main));
}

void Request::quieten_main() {
  handler_before = Value::adopt(EG(user_exception_handler));
  ZVAL_STRING(&EG(user_exception_handler), end_main);
}

void Request::put_exception_handler_back() {
  zval_ptr_dtor(&EG(user_exception_handler));
  ZVAL_COPY_VALUE(&EG(user_exception_handler), handler_before.get());
  ZVAL_UNDEF(handler_before.get());
}

void Request::main_ended_early(bool fatally) noexcept {
  if (fatally) bail();
  weft::shutdown();
}

bool Request::drain() {
  if (draining_) return false;
  CoroutineRecord& me = *main_;
  std::exception_ptr error;
  draining_ = true;
  me.vm.save();
  try {
    runtime_->drain();
  } catch (...) {
    error = std::current_exception();
  }
  current = &me;
  me.vm.load();
  draining_ = false;
  if (bailed_) {  // the coroutines were dropped, and the fatal error is the only report
    forget_uses_of_streams();
    forget_uses_of_connections();
    notes_.clear();
    warnings_.clear();
    error = nullptr;
  }
  bailed_ = false;  // shutdown functions and destructors still run
  // A bailout from here on skips destructors.
  const bool is_fine = error == nullptr;
  zend_object* const failure = outside_of_lines(std::exchange(error, nullptr));
  attic.empty();
  print_notes();
  if (failure != nullptr) report(failure);
  return is_fine;
}

void Request::end() {
  drain_all(*this);
  ending_ = true;
  zend_objects_store_call_destructors(&EG(objects_store));
  drain_all(*this);
}

bool put_off_destruction(zend_object& object) noexcept {
  if (request == nullptr || request->is_ending()) return false;
  // The engine walks over all objects, and holds each meanwhile.
  const bool has_ended = (EG(flags) & EG_FLAGS_OBJECT_STORE_NO_REUSE) != 0;
  if (!has_ended || GC_REFCOUNT(&object) == 1) return false;
  GC_DEL_FLAGS(&object, IS_OBJ_DESTRUCTOR_CALLED);
  return true;
}

void Request::report(zend_object* exception) {
  EG(exit_status) = 255;  // exit() in a handler of the user overrides it
  const zval& handler = is_main_quiet() ? *handler_before.get() : EG(user_exception_handler);
  if (Z_TYPE(handler) == IS_UNDEF) {
    zend_exception_error(exception, E_ERROR);
  } else {
    call_exception_handler(handler, exception);
  }
}

void Request::call_exception_handler(const zval& handler, zend_object* exception) {
  zval mine;
  ZVAL_COPY(&mine, &handler);
  // As in the engine, the handler is not called for its own exceptions.
  zval before;
  ZVAL_COPY_VALUE(&before, &EG(user_exception_handler));
  ZVAL_UNDEF(&EG(user_exception_handler));
  zval argument;
  ZVAL_OBJ(&argument, exception);
  zval result;
  ZVAL_UNDEF(&result);
  call_user_function(nullptr, nullptr, &mine, &result, 1, &argument);
  zval_ptr_dtor(&result);
  zval_ptr_dtor(&mine);
  OBJ_RELEASE(exception);
  if (Z_TYPE(EG(user_exception_handler)) == IS_UNDEF) {
    ZVAL_COPY_VALUE(&EG(user_exception_handler), &before);
  } else {  // it has set another one
    zval_ptr_dtor(&before);
  }
  zend_object* const thrown = std::exchange(EG(exception), nullptr);
  if (thrown == nullptr) return;
  if (zend_is_unwind_exit(thrown)) {
    OBJ_RELEASE(thrown);
  } else {
    zend_exception_error(thrown, E_ERROR);
  }
}

std::exception_ptr end_output(std::exception_ptr error) noexcept {
  volatile bool bailed = false;
  JMP_BUF* const outer = EG(bailout);
  EG(bailout) = nullptr;
  zend_try { php_output_end_all(); }
  zend_catch { bailed = true; }
  zend_end_try();
  EG(bailout) = outer;
  if (bailed) return std::make_exception_ptr(Unwound{Unwound::How::bailout});
  chain_to_exception(error);
  std::exception_ptr thrown = take_exception();
  const bool replaces = thrown != nullptr && unwound(error) == nullptr;
  return replaces ? thrown : error;
}

void Request::print_notes() {
  if (notes_.empty() && warnings_.empty()) return;
  if (OG(active) == nullptr) return print_below_buffers();
  // They are not of the coroutine that goes on now: what it collects in buffers is its own.
  const zend_output_globals buffers = put_output_buffers_away();
  zend_try { print_below_buffers(); }
  zend_catch {
    put_output_buffers_back(buffers);
    zend_bailout();
  }
  zend_end_try();
  put_output_buffers_back(buffers);
}

void Request::print_below_buffers() {
  // The text is in memory of the engine, because an error handler of the user may bail out.
  const auto take_first = [](std::vector<std::string>& texts) {
    zend_string* const text = zend_string_init(texts.front().data(), texts.front().size(), false);
    texts.erase(texts.begin());
    return text;
  };
  while (!notes_.empty()) {
    zend_string* const text = take_first(notes_);
    php_output_write(ZSTR_VAL(text), ZSTR_LEN(text));
    zend_string_release(text);
  }
  while (!warnings_.empty()) {
    zend_string* const text = take_first(warnings_);
    zend_error(E_WARNING, "%s", ZSTR_VAL(text));
    zend_string_release(text);
  }
}

}  // namespace weft_php
