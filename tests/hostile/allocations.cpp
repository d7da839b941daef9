#include "allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace weft_hostile {
namespace {

// Atomic: a program may have threads.
std::atomic<bool> counts{false};
std::atomic<std::uint64_t> counted{0};
std::atomic<std::uint64_t> failing_one{0};

void* allocate(std::size_t size, std::size_t alignment) {
  if (counts.load(std::memory_order_acquire) && counted.fetch_add(1) + 1 == failing_one) {
    throw std::bad_alloc{};
  }
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                     : std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

}  // namespace

void count_allocations(std::uint64_t failing) noexcept {
  failing_one = failing;
  counts.store(true, std::memory_order_release);
}

void stop_counting_allocations() noexcept { counts.store(false); }

std::uint64_t counted_allocations() noexcept { return counted.load(); }

}  // namespace weft_hostile

void* operator new(std::size_t size) { return weft_hostile::allocate(size, 0); }
void* operator new[](std::size_t size) { return weft_hostile::allocate(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return weft_hostile::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*a*/) noexcept {
  std::free(memory);
}
