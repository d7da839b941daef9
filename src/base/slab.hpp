#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Slots of one size with a free list, for objects that are born and die all the time. Objects may
/// outlive their owner: the last one frees the slab. Belongs to one thread.
class Slab {
 public:
  static constexpr std::size_t slot_size = 256;

  static Slab* create();
  /// The owner lets go.
  void release() noexcept;

  void* allocate();
  static void deallocate(void* slot) noexcept;

 private:
  friend class SpareSlab;
  struct Chunk;
  struct Block;
  struct FreeSlot {
    FreeSlot* next;
  };
  static constexpr std::size_t chunk_size = std::size_t{64} * 1024;

  Slab() noexcept = default;
  ~Slab();
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
