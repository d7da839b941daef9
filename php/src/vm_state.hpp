#pragma once

#include <cstdint>

#include "engine.hpp"
#include "error_handler.hpp"

namespace weft_php {

/// Puts the output buffers of the code that runs now away: what it prints goes below them.
[[nodiscard]] zend_output_globals put_output_buffers_away() noexcept;
/// Puts them back. Buffers that were begun meanwhile end: their callbacks may run.
void put_output_buffers_back(const zend_output_globals& buffers);

/// What the engine keeps for the code that runs now, and what each coroutine therefore has for
/// itself: the stack of the virtual machine, the current frame, the exception in flight, output
/// buffers. save() before a coroutine may lose control, load() when it has it again.
class VmState {
 public:
  VmState() noexcept = default;
  VmState(const VmState&) = delete;
  VmState& operator=(const VmState&) = delete;

  /// Begins a fresh state for a coroutine whose C stack was just entered.
  void begin();
  /// Frees what begin() has made. Afterwards the engine has no state: nothing may run in it before
  /// another one is loaded.
  void end() noexcept;
  void save() noexcept {
    bailout_ = EG(bailout);
    error_reporting_ = EG(error_reporting);
    vm_stack_top_ = EG(vm_stack_top);
    vm_stack_end_ = EG(vm_stack_end);
    vm_stack_ = EG(vm_stack);
    vm_stack_page_size_ = EG(vm_stack_page_size);
    current_execute_data_ = EG(current_execute_data);
    jit_trace_num_ = EG(jit_trace_num);
    current_fiber_context_ = EG(current_fiber_context);
    if (has_unusual()) [[unlikely]]
      save_unusual();
  }
  void load() noexcept {
    enter_context(current_fiber_context_);
    EG(bailout) = bailout_;
    EG(error_reporting) = error_reporting_;
    EG(vm_stack_top) = vm_stack_top_;
    EG(vm_stack_end) = vm_stack_end_;
    EG(vm_stack) = vm_stack_;
    EG(vm_stack_page_size) = vm_stack_page_size_;
    EG(current_execute_data) = current_execute_data_;
    EG(jit_trace_num) = jit_trace_num_;
    current_execute_data_ = nullptr;
    if (unusual_) [[unlikely]]
      load_unusual();
  }

  /// Whether the engine has this state now, not another one.
  [[nodiscard]] bool is_loaded() const noexcept { return current_execute_data_ == nullptr; }
  /// The innermost frame of a coroutine that is parked.
  [[nodiscard]] zend_execute_data* frame() const noexcept { return current_execute_data_; }

 private:
  /// Replaces the engine's fiber context, as its own switches do, so that observers see them too. A
  /// Fiber stays as it is: it runs until it suspends itself, and the engine would resume one that
  /// is SUSPENDED by a handle that only its own switches set.
  static void enter_context(zend_fiber_context* to) noexcept {
    zend_fiber_context* const from = EG(current_fiber_context);
    if (from == to) return;
    zend_observer_fiber_switch_notify(from, to);
    if (from->status == ZEND_FIBER_STATUS_RUNNING && from->kind != zend_ce_fiber) {
      from->status = ZEND_FIBER_STATUS_SUSPENDED;
    }
    to->status = ZEND_FIBER_STATUS_RUNNING;
    EG(current_fiber_context) = to;
  }

  /// Whether a rarely used field is not at its default. One branch for all of them, because every
  /// switch passes here.
  static bool has_unusual() noexcept {
    const auto bits = [](const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); };
    return (bits(EG(fake_scope)) | bits(EG(exception_class)) | bits(EG(exception)) |
            bits(EG(prev_exception)) | bits(EG(active_fiber)) | bits(OG(active)) |
            bits(FG(user_stream_current_filename)) | BG(user_compare_fci).size |
            static_cast<unsigned>(EG(error_handling)) | BG(serialize_lock) | BG(serialize).level |
            BG(unserialize).level | static_cast<unsigned>(FG(pclose_wait)) |
            static_cast<unsigned>(PG(in_user_include)) |
            static_cast<unsigned>(is_in_error_handler()) |
            static_cast<unsigned>(zend_fiber_switch_blocked())) != 0;
  }
  [[gnu::cold, gnu::noinline]] void save_unusual() noexcept;
  [[gnu::cold, gnu::noinline]] void load_unusual() noexcept;
  /// Sets the fields of EG among them to their defaults.
  static void clear_unusual() noexcept;

  JMP_BUF* bailout_ = nullptr;
  zval* vm_stack_top_ = nullptr;
  zval* vm_stack_end_ = nullptr;
  zend_vm_stack vm_stack_ = nullptr;
  size_t vm_stack_page_size_ = 0;
  zend_execute_data* current_execute_data_ = nullptr;
  zend_fiber_context* current_fiber_context_ = nullptr;
  int error_reporting_ = 0;
  std::uint32_t jit_trace_num_ = 0;
  bool unusual_ = false;  // rest_ is saved
  zend_fiber_context context_;

  /// Fields of the engine that are nearly always at their default at a switch; saved only if not.
  struct Unusual {
    zend_class_entry* fake_scope;
    zend_error_handling_t error_handling;
    zend_class_entry* exception_class;
    zend_object* exception;
    zend_object* prev_exception;
    const zend_op* opline_before_exception;
    zend_fiber* active_fiber;
    int switch_blocks;
    bool in_error_handler;
    bool in_user_include;
    bool has_output;
    zval error_handler;  // the one that runs, without a reference
    zend_output_globals output;
    zend_fcall_info user_compare_fci;
    zend_fcall_info_cache user_compare_fci_cache;
    unsigned serialize_lock;
    decltype(php_basic_globals::serialize) serialize;
    decltype(php_basic_globals::unserialize) unserialize;
    const char* user_stream_current_filename;
    int pclose_ret;
    int pclose_wait;
  };
  /// Exchanges the fields that functions of ext/standard use.
  static void swap_functions(Unusual& with) noexcept;
  Unusual rest_;
};

}  // namespace weft_php
