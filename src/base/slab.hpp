#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/sanitizer.hpp"

namespace weft {

/// Slots of one size with a free list, for objects that are born and die all the time. Objects may
/// outlive their owner: the last one frees the slab. Belongs to one thread.
class Slab {
 public:
  static constexpr std::size_t slot_size = 256;

  static Slab* create();
  /// The owner lets go.
  void release() noexcept;

  void* allocate() {
    if (FreeSlot* slot = free_) [[likely]] {
      allow_memory(slot, slot_size);
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
    forbid_memory(slot, slot_size);
    if (--slab.live_ == 0 && !slab.owned_) [[unlikely]]
      delete &slab;
  }

 private:
  friend class SpareSlab;
  // A chunk is aligned to its size, so that a slot finds its slab by masking its own address.
  struct Chunk {
    Slab* slab;
  };
  struct Block;
  struct FreeSlot {
    FreeSlot* next;
  };
  static constexpr std::size_t chunk_size = std::size_t{64} * 1024;

  Slab() noexcept = default;
  ~Slab();
  void* allocate_fresh();
  void add_chunk();
  /// As new, but with the memory it has. False: it has too much to be kept.
  bool reset() noexcept;

  FreeSlot* free_ = nullptr;
  std::byte* fresh_ = nullptr;  // not yet used part of the newest chunk
  std::byte* fresh_end_ = nullptr;
  Block* blocks_ = nullptr;
  std::byte* next_chunk_ = nullptr;  // not yet used chunks of the newest block
  std::byte* block_end_ = nullptr;
  std::size_t live_ = 0;
  bool owned_ = true;
};

/// While one lives, the slab of a runtime that ends on this thread is kept for the next one.
class SpareSlab {
 public:
  SpareSlab() noexcept;
  ~SpareSlab();
  SpareSlab(const SpareSlab&) = delete;
  SpareSlab& operator=(const SpareSlab&) = delete;

 private:
  friend class Slab;
  Slab* kept_ = nullptr;
  SpareSlab* outer_;
};

}  // namespace weft
