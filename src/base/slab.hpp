#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/for_siblings.hpp"
#include "base/sanitizer.hpp"

namespace weft {

/// Slots of one size with a free list, for short-lived objects. Objects may outlive the owner of
/// the slab: the last one frees it. Belongs to one thread.
class Slab {
 public:
  // The slot sizes; a runtime has one slab of each.
  static constexpr std::size_t narrow = 256;
  static constexpr std::size_t wide = 384;

  /// `slot_size` is `narrow` or `wide`.
  static Slab* create(std::size_t slot_size);
  /// The owner drops the slab.
  void release() noexcept;

  void* allocate() {
    if (FreeSlot* slot = free_) [[likely]] {
      allow_memory(slot, slot_size_);
      free_ = slot->next;
      ++live_;
      return slot;
    }
    return allocate_fresh();
  }
  static void deallocate(void* slot) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(slot);
    Slab& slab = *reinterpret_cast<Chunk*>(address & ~(chunk_size - 1))->slab;
    slab.free_ = ::new (slot) FreeSlot{slab.free_};
    forbid_memory(slot, slab.slot_size_);
    if (--slab.live_ == 0 && !slab.owned_) [[unlikely]]
      slab.destroy();
  }

 private:
  friend class SpareSlab;
  // A chunk is aligned to its size, so that a slot finds its slab by masking its own address.
  struct Chunk {
    Slab* slab;
  };
  struct Block;
  struct FreeSlot {  // a stack of slots: one pointer is all that the smallest slot has room for
    FreeSlot* next;
  };
  static constexpr std::size_t chunk_size = std::size_t{64} * 1024;

  explicit Slab(std::size_t slot_size) noexcept : slot_size_{slot_size} {}
  ~Slab();
  [[gnu::noinline]] void destroy() noexcept { delete this; }
  [[gnu::noinline]] void* allocate_fresh();
  void add_chunk();
  /// Makes the slots of `chunk` the fresh ones, except the first, which holds the Chunk header.
  void open(std::byte* chunk) noexcept;
  /// Empties the slab but keeps its memory. False: it has too much to be kept.
  bool reset() noexcept;

  FreeSlot* free_ = nullptr;
  std::byte* fresh_ = nullptr;  // the unused part of the newest chunk
  std::byte* fresh_end_ = nullptr;
  Block* blocks_ = nullptr;
  std::byte* next_chunk_ = nullptr;  // the unused chunks of the newest block
  std::byte* block_end_ = nullptr;
  std::size_t live_ = 0;
  const std::size_t slot_size_;
  bool owned_ = true;
};

/// While one lives, the slabs of a runtime that ends on this thread are kept for the next one.
class SpareSlab {
 public:
  WEFT_FOR_SIBLINGS SpareSlab() noexcept;
  WEFT_FOR_SIBLINGS ~SpareSlab();
  SpareSlab(const SpareSlab&) = delete;
  SpareSlab& operator=(const SpareSlab&) = delete;

 private:
  friend class Slab;
  [[nodiscard]] Slab*& kept(std::size_t slot_size) noexcept {
    return slot_size == Slab::narrow ? narrow_ : wide_;
  }
  Slab* narrow_ = nullptr;
  Slab* wide_ = nullptr;
  SpareSlab* outer_;
};

}  // namespace weft
