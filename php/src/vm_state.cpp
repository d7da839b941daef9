#include "vm_state.hpp"

#include <cstring>
#include <utility>

#include "error_handler.hpp"

namespace weft_php {
namespace {

/// The size of the first page of a coroutine's VM stack; a power of two. More are added as needed.
constexpr size_t page_size = 4096;

/// The function of the frame at the bottom of each coroutine, as the engine has one for fibers.
zend_function bottom_function = [] {
  zend_function made = {};
  made.type = ZEND_INTERNAL_FUNCTION;
  return made;
}();
char context_kind;

/// Output buffers of the code that runs now are put away; the next begins without any.
zend_output_globals exchange_output(const zend_output_globals* with) noexcept {
  const zend_output_globals before = output_globals;
  if (with != nullptr) {
    output_globals = *with;
  } else {
    const int kept = OG(flags) & PHP_OUTPUT_IMPLICITFLUSH;
    php_output_activate();
    OG(flags) |= kept;
    OG(output_start_filename) = before.output_start_filename;
    OG(output_start_lineno) = before.output_start_lineno;
  }
  return before;
}

}  // namespace

void VmState::enter_context(zend_fiber_context* to) noexcept {
  zend_fiber_context* const from = EG(current_fiber_context);
  if (from == to) return;
  zend_observer_fiber_switch_notify(from, to);
  if (from->status == ZEND_FIBER_STATUS_RUNNING) from->status = ZEND_FIBER_STATUS_SUSPENDED;
  to->status = ZEND_FIBER_STATUS_RUNNING;
  EG(current_fiber_context) = to;
}

void VmState::begin() {
  context_ = {};
  context_.kind = &context_kind;
  context_.status = ZEND_FIBER_STATUS_INIT;
  zend_observer_fiber_init_notify(&context_);
  enter_context(&context_);
  EG(active_fiber) = nullptr;
  EG(bailout) = nullptr;

  auto* const page = static_cast<zend_vm_stack>(emalloc(page_size));
  page->top = ZEND_VM_STACK_ELEMENTS(page);
  page->end = reinterpret_cast<zval*>(reinterpret_cast<char*>(page) + page_size);
  page->prev = nullptr;
  auto* const bottom = reinterpret_cast<zend_execute_data*>(page->top);
  std::memset(bottom, 0, ZEND_CALL_FRAME_SLOT * sizeof(zval));
  bottom->func = &bottom_function;
  EG(vm_stack) = page;
  EG(vm_stack_top) = page->top + ZEND_CALL_FRAME_SLOT;
  EG(vm_stack_end) = page->end;
  EG(vm_stack_page_size) = page_size;
  EG(current_execute_data) = bottom;

  EG(jit_trace_num) = 0;
  EG(error_reporting) = static_cast<int>(INI_INT("error_reporting"));
  if (EG(error_reporting) == 0 && INI_STR("error_reporting") == nullptr) {
    EG(error_reporting) = E_ALL;
  }
  EG(fake_scope) = nullptr;
  EG(error_handling) = EH_NORMAL;
  EG(exception_class) = nullptr;
  EG(exception) = nullptr;
  EG(prev_exception) = nullptr;
  EG(opline_before_exception) = nullptr;
}

void VmState::end() noexcept {
  context_.status = ZEND_FIBER_STATUS_DEAD;
  enter_context(EG(main_fiber_context));
  zend_observer_fiber_destroy_notify(&context_);
  EG(current_execute_data) = nullptr;
  zend_vm_stack_destroy();
  EG(vm_stack) = nullptr;
  EG(bailout) = nullptr;
}

void VmState::save() noexcept {
  bailout_ = EG(bailout);
  error_reporting_ = EG(error_reporting);
  vm_stack_top_ = EG(vm_stack_top);
  vm_stack_end_ = EG(vm_stack_end);
  vm_stack_ = EG(vm_stack);
  vm_stack_page_size_ = EG(vm_stack_page_size);
  current_execute_data_ = EG(current_execute_data);
  fake_scope_ = EG(fake_scope);
  jit_trace_num_ = EG(jit_trace_num);
  error_handling_ = EG(error_handling);
  exception_class_ = EG(exception_class);
  exception_ = std::exchange(EG(exception), nullptr);
  prev_exception_ = std::exchange(EG(prev_exception), nullptr);
  opline_before_exception_ = EG(opline_before_exception);
  active_fiber_ = EG(active_fiber);
  current_fiber_context_ = EG(current_fiber_context);
  // Destructors block the switches of fibers by a counter that only these functions reach.
  for (switch_blocks_ = 0; zend_fiber_switch_blocked(); ++switch_blocks_) {
    zend_fiber_switch_unblock();
  }
  in_error_handler_ = is_in_error_handler();
  if (in_error_handler_) [[unlikely]]
    error_handler_ = put_error_handler_back();
  if (has_rare()) [[unlikely]]
    swap_rare(rare_.emplace());
  if (OG(active) != nullptr) [[unlikely]]
    output_ = exchange_output(nullptr);
}

void VmState::load() noexcept {
  enter_context(current_fiber_context_);
  EG(bailout) = bailout_;
  EG(error_reporting) = error_reporting_;
  EG(vm_stack_top) = vm_stack_top_;
  EG(vm_stack_end) = vm_stack_end_;
  EG(vm_stack) = vm_stack_;
  EG(vm_stack_page_size) = vm_stack_page_size_;
  EG(current_execute_data) = current_execute_data_;
  EG(fake_scope) = fake_scope_;
  EG(jit_trace_num) = jit_trace_num_;
  EG(error_handling) = error_handling_;
  EG(exception_class) = exception_class_;
  EG(exception) = exception_;
  EG(prev_exception) = prev_exception_;
  EG(opline_before_exception) = opline_before_exception_;
  EG(active_fiber) = active_fiber_;
  current_execute_data_ = nullptr;
  for (; switch_blocks_ > 0; --switch_blocks_) zend_fiber_switch_block();
  if (in_error_handler_) [[unlikely]]
    unset_error_handler(error_handler_);
  if (rare_) [[unlikely]] {
    swap_rare(*rare_);
    rare_.reset();
  }
  if (output_) [[unlikely]] {
    exchange_output(&*output_);
    output_.reset();
  }
}

bool VmState::has_rare() noexcept {
  return BG(user_compare_fci).size != 0 || BG(serialize_lock) != 0 || BG(serialize).level != 0 ||
         BG(unserialize).level != 0 || FG(user_stream_current_filename) != nullptr ||
         FG(pclose_wait) != 0;
}

void VmState::swap_rare(Rare& with) noexcept {
  std::swap(with.user_compare_fci, BG(user_compare_fci));
  std::swap(with.user_compare_fci_cache, BG(user_compare_fci_cache));
  std::swap(with.serialize_lock, BG(serialize_lock));
  std::swap(with.serialize, BG(serialize));
  std::swap(with.unserialize, BG(unserialize));
  std::swap(with.user_stream_current_filename, FG(user_stream_current_filename));
  std::swap(with.pclose_ret, FG(pclose_ret));
  std::swap(with.pclose_wait, FG(pclose_wait));
}

}  // namespace weft_php
