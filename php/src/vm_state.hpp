#pragma once

#include <optional>

#include "engine.hpp"

namespace weft_php {

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
  void save() noexcept;
  void load() noexcept;

  /// Whether the engine has this state now, not another one.
  [[nodiscard]] bool is_loaded() const noexcept { return current_execute_data_ == nullptr; }
  /// The innermost frame of a coroutine that is parked.
  [[nodiscard]] zend_execute_data* frame() const noexcept { return current_execute_data_; }

 private:
  /// Replaces the engine's fiber context, as its own switches do, so that observers see them too.
  static void enter_context(zend_fiber_context* to) noexcept;

  JMP_BUF* bailout_ = nullptr;
  int error_reporting_ = 0;
  zval* vm_stack_top_ = nullptr;
  zval* vm_stack_end_ = nullptr;
  zend_vm_stack vm_stack_ = nullptr;
  size_t vm_stack_page_size_ = 0;
  zend_execute_data* current_execute_data_ = nullptr;
  zend_class_entry* fake_scope_ = nullptr;
  std::uint32_t jit_trace_num_ = 0;
  zend_error_handling_t error_handling_ = EH_NORMAL;
  zend_class_entry* exception_class_ = nullptr;
  zend_object* exception_ = nullptr;
  zend_object* prev_exception_ = nullptr;
  const zend_op* opline_before_exception_ = nullptr;
  zend_fiber* active_fiber_ = nullptr;
  zend_fiber_context* current_fiber_context_ = nullptr;
  int switch_blocks_ = 0;
  bool in_error_handler_ = false;
  zval error_handler_ = {};  // the one that runs, without a reference

  // Only set while they are in use, which is rare.
  struct Rare {
    zend_fcall_info user_compare_fci;
    zend_fcall_info_cache user_compare_fci_cache;
    unsigned serialize_lock;
    decltype(php_basic_globals::serialize) serialize;
    decltype(php_basic_globals::unserialize) unserialize;
    const char* user_stream_current_filename;
    int pclose_ret;
    int pclose_wait;
  };
  static bool has_rare() noexcept;
  static void swap_rare(Rare& with) noexcept;
  std::optional<Rare> rare_;
  std::optional<zend_output_globals> output_;
  zend_fiber_context context_ = {};
};

}  // namespace weft_php
