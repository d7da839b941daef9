#include "context/quick_switch.hpp"

#ifdef __x86_64__

// A parked frame, from its lowest word: the address to go on at, `after`, a padding word that keeps
// the stack aligned, the six callee-saved registers, the return address.
asm(R"(
    .macro weft_pop_kept  # the six registers that a callee keeps
    popq %r15
    .cfi_def_cfa_offset 48
    popq %r14
    .cfi_def_cfa_offset 40
    popq %r13
    .cfi_def_cfa_offset 32
    popq %r12
    .cfi_def_cfa_offset 24
    popq %rbx
    .cfi_def_cfa_offset 16
    popq %rbp
    .cfi_def_cfa_offset 8
    .endm

    .text
    .globl weft_quick_switch
    .hidden weft_quick_switch
    .type weft_quick_switch, @function
    .p2align 5
weft_quick_switch:
    .cfi_startproc
    endbr64
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    pushq %rbx
    .cfi_def_cfa_offset 24
    .cfi_offset %rbx, -24
    pushq %r12
    .cfi_def_cfa_offset 32
    .cfi_offset %r12, -32
    pushq %r13
    .cfi_def_cfa_offset 40
    .cfi_offset %r13, -40
    pushq %r14
    .cfi_def_cfa_offset 48
    .cfi_offset %r14, -48
    pushq %r15
    .cfi_def_cfa_offset 56
    .cfi_offset %r15, -56
    subq $8, %rsp
    .cfi_def_cfa_offset 64
    pushq %rcx
    .cfi_def_cfa_offset 72
    leaq weft_quick_resume(%rip), %rax
    pushq %rax
    .cfi_def_cfa_offset 80
    movq %rdi, %rbx
    movq %rdx, %r12
    movq %rsi, %rax
    movq %rsp, %rsi
    call *%rax
    testq %rax, %rax
    jz 2f
    movq %rax, %rsp
    popq %rax
    jmp *%rax

2:  # something is out of the ordinary: the long way, and an ordinary return
    movq %rbx, %rdi
    call *%r12
    addq $24, %rsp
    .cfi_def_cfa_offset 56
    .cfi_remember_state
    weft_pop_kept
    ret

    .globl weft_quick_resume
    .hidden weft_quick_resume
weft_quick_resume:  # the word at the stack pointer is `after`
    .cfi_restore_state
    .cfi_def_cfa_offset 72
    endbr64
    addq $16, %rsp
    .cfi_def_cfa_offset 56
    .cfi_remember_state
    weft_pop_kept
    popq %rcx
    .cfi_def_cfa_offset 0
    jmp *%rcx

    .p2align 4
weft_quick_resume_slow:
    .cfi_restore_state
    .cfi_def_cfa_offset 72
    endbr64
    popq %rax
    .cfi_def_cfa_offset 64
    xorl %edi, %edi
    call *%rax
    addq $8, %rsp
    .cfi_def_cfa_offset 56
    weft_pop_kept
    ret
    .cfi_endproc
    .size weft_quick_switch, .-weft_quick_switch
)");

extern "C" char weft_quick_resume_slow[];

namespace weft {

void mark_slow(void* frame) noexcept {
  *static_cast<void**>(frame) = static_cast<void*>(weft_quick_resume_slow);
}

}  // namespace weft
#endif
