#pragma once

#include <exception>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "attic.hpp"
#include "classes/scope_record.hpp"
#include "engine.hpp"
#include "error.hpp"

namespace weft_php {

class CoroutineRecord;

/// File names that places refer to: kept until the request ends.
class FileNames {
 public:
  ~FileNames();
  [[nodiscard]] const char* keep(zend_string* name) {
    if (name != last_) [[unlikely]]
      add(name);
    return ZSTR_VAL(name);
  }

 private:
  void add(zend_string* name);
  zend_string* last_ = nullptr;
  std::unordered_set<zend_string*> names_;
};

/// One request that uses the runtime: from the first call of the API to RSHUTDOWN.
class Request {
 public:
  Request();
  ~Request();
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Attic attic;
  FileNames files;
  /// The coroutine whose PHP code runs now.
  CoroutineRecord* current = nullptr;
  weft::Ref<ScopeRecord> main_scope = ScopeRecord::create(nullptr);

  /// The code that runs now becomes the main coroutine.
  void adopt_main();
  [[nodiscard]] CoroutineRecord& main() const noexcept { return *main_; }
  /// Whether a fatal error ended the script: no PHP code runs any more but shutdown functions.
  [[nodiscard]] bool has_bailed() const noexcept { return bailed_; }
  [[nodiscard]] bool is_draining() const noexcept { return draining_; }

  /// The engine has its state again, after a call into the runtime that ended with `error`, which
  /// is thrown in PHP. Returns whether no exception is in flight. Bails out after a fatal error:
  /// nothing with a destructor may be alive in the frames above.
  bool back_in_engine(CoroutineRecord& me, std::exception_ptr& error);
  /// A wait of `me` has ended with `error`, which is thrown in PHP.
  void throw_from_wait(CoroutineRecord& me, const std::exception_ptr& error);
  /// PHP code was left by `exit` or a fatal error: ends the program. `caller` is the coroutine
  /// whose PHP code called that code by way of the runtime; it is left too, even if the runtime
  /// swallows the error. Null if there is none.
  void left_by(Unwound::How how, CoroutineRecord* caller) noexcept;
  /// Runs all other coroutines to their end, and reports the error that ended the program. False if
  /// there was one.
  bool drain();
  /// Runs all that lives yet to its end, destroys the objects that are left, and runs what that has
  /// begun. In the engine.
  void end();
  /// Whether all objects are destroyed now.
  [[nodiscard]] bool is_ending() const noexcept { return ending_; }
  /// The main script has ended by `exit`, by an uncaught exception or by a fatal error.
  void main_ended_early(bool fatally) noexcept;
  /// A cancellation is thrown, perhaps in main: one that nothing catches ends the script silently,
  /// as it does a coroutine.
  void expect_cancellation_in_main();
  /// Whether that is so: the engine has a handler of ours, and `handler_before` that of the script.
  [[nodiscard]] static bool is_main_quiet() noexcept;
  void quieten_main();
  void put_exception_handler_back();
  /// A text to be printed before PHP code goes on; from anywhere.
  void note(std::string text) {
    notes_.push_back(std::move(text));
    has_news_ = true;
  }
  /// The same for a warning.
  void warn(std::string_view text) {
    warnings_.emplace_back(text);
    has_news_ = true;
  }

  /// The exception handler of the script while main is quiet; undefined if it has none.
  Value handler_before;

 private:
  /// The rest of back_in_engine(), when there is more to do.
  [[gnu::cold, gnu::noinline]] bool handle_news(CoroutineRecord& me, std::exception_ptr& error);
  void bail() noexcept { bailed_ = has_news_ = true; }
  void print_notes();
  void print_below_buffers();
  /// Takes the reference to `exception`.
  void report(zend_object* exception);
  /// Reports what the handler itself throws. Takes the reference to `exception`.
  void call_exception_handler(const zval& handler, zend_object* exception);

  CoroutineRecord* main_ = nullptr;
  CoroutineRecord* exit_caller_ = nullptr;  // until it is back in the engine
  bool exiting_ = false;
  bool bailed_ = false;
  bool has_news_ = false;  // a bailout, an exit, a note or a warning, for back_in_engine()
  bool draining_ = false;
  bool ending_ = false;
  std::vector<std::string> notes_;
  std::vector<std::string> warnings_;
  std::optional<weft::Runtime> runtime_;  // the first to go: it warns of what is left
};

/// Null until the API is used in this request.
inline Request* request = nullptr;
/// Whether RSHUTDOWN has run: code that other modules call in theirs cannot use the API.
inline bool request_is_over = false;

/// Makes the Request, if this is the first use. False, with an exception, if that is refused.
bool start();

}  // namespace weft_php
