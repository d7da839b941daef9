#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

/// Slots of one size with a free list, for objects that are born and die all the time. Objects may
/// outlive their owner: the last one frees the slab. Belongs to one thread.
class Slab {
 public:
  static constexpr std::size_t slot_size = 256;

  static Slab* create() { return new Slab; }
  /// The owner lets go.
  void release() noexcept;

  void* allocate();
  static void deallocate(void* slot) noexcept;

 private:
  struct Chunk;
  struct Block;
  struct FreeSlot {
    FreeSlot* next;
  };
  static constexpr std::size_t chunk_size = std::size_t{64} * 1024;

  Slab() noexcept = default;
  ~Slab();
  void add_chunk();

  FreeSlot* free_ = nullptr;
  std::byte* fresh_ = nullptr;  // not yet used part of the newest chunk
  std::byte* fresh_end_ = nullptr;
  Block* blocks_ = nullptr;
  std::byte* next_chunk_ = nullptr;  // not yet used chunks of the newest block
  std::byte* block_end_ = nullptr;
  std::size_t live_ = 0;
  bool owned_ = true;
};

}  // namespace weft
