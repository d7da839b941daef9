#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {
// Plain thread-local integers: operator new may run before constructors and after destructors.
thread_local std::uint64_t made = 0;
thread_local std::uint64_t live_blocks = 0;
thread_local std::uint64_t fail_in = 0;
thread_local bool has_failed = false;

void* allocate(std::size_t size, std::size_t alignment) {
  ++made;
  if (fail_in != 0 && --fail_in == 0) {
    has_failed = true;
    return nullptr;
  }
  void* memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(size == 0 ? 1 : size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory != nullptr) ++live_blocks;
  return memory;
}
void deallocate(void* memory) noexcept {
  if (memory == nullptr) return;
  --live_blocks;
  std::free(memory);
}
void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* memory = allocate(size, alignment);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}
constexpr std::size_t usual = alignof(std::max_align_t);
}  // namespace

namespace weft_test {
bool Allocations::are_counted() {
  const std::uint64_t before = made;
  ::operator delete(::operator new(1));  // called by name: no compiler leaves it out
  return made != before;
}
std::uint64_t Allocations::count() noexcept { return made; }
std::uint64_t Allocations::live() noexcept { return live_blocks; }
void Allocations::fail_at(std::uint64_t k) noexcept {
  fail_in = k;
  has_failed = false;
}
void Allocations::fail_never() noexcept { fail_in = 0; }
bool Allocations::failed() noexcept { return has_failed; }
}  // namespace weft_test

void* operator new(std::size_t size) { return allocate_or_throw(size, usual); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, usual); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, usual);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, usual);
}
void operator delete(void* memory) noexcept { deallocate(memory); }
void operator delete[](void* memory) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete[](void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { deallocate(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { deallocate(memory); }
