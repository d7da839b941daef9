#include "base/slab.hpp"

#include <utility>

#include "base/current.hpp"

namespace weft {

// Chunks come in blocks: one first, then sixteen at a time, which the allocator maps without waste.
struct Slab::Block {
  Chunk first;
  Block* next;
};

Slab::~Slab() {
  while (blocks_ != nullptr) {
    Block* next = blocks_->next;
    ::operator delete (blocks_, std::align_val_t{chunk_size});
    blocks_ = next;
  }
}

Slab* Slab::create(std::size_t slot_size) {
  if (SpareSlab* spare = current_thread.spare_slab) {
    if (Slab* kept = std::exchange(spare->kept(slot_size), nullptr)) return kept;
  }
  return new Slab{slot_size};
}

void Slab::release() noexcept {
  SpareSlab* spare = current_thread.spare_slab;
  if (spare != nullptr && spare->kept(slot_size_) == nullptr && live_ == 0 && reset()) {
    spare->kept(slot_size_) = this;
    return;
  }
  owned_ = false;
  if (live_ == 0) delete this;
}

bool Slab::reset() noexcept {
  if (blocks_ == nullptr || blocks_->next != nullptr) return false;
  free_ = nullptr;
  open(reinterpret_cast<std::byte*>(blocks_));
  return true;
}

SpareSlab::SpareSlab() noexcept : outer_{current_thread.spare_slab} {
  current_thread.spare_slab = this;
}

SpareSlab::~SpareSlab() {
  current_thread.spare_slab = outer_;
  delete narrow_;
  delete wide_;
}

void* Slab::allocate_fresh() {
  if (fresh_ == fresh_end_) add_chunk();
  std::byte* slot = fresh_;
  allow_memory(slot, slot_size_);  // it may have been used before a reset
  fresh_ += slot_size_;
  ++live_;
  return slot;
}

void Slab::add_chunk() {
  std::byte* memory = next_chunk_;
  if (memory == block_end_) {
    const std::size_t bytes = blocks_ == nullptr ? chunk_size : 16 * chunk_size;
    memory = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{chunk_size}));
    blocks_ = ::new (memory) Block{{this}, blocks_};
    block_end_ = memory + bytes;
  } else {
    ::new (memory) Chunk{this};
  }
  next_chunk_ = memory + chunk_size;
  open(memory);
}

void Slab::open(std::byte* chunk) noexcept {
  fresh_ = chunk + slot_size_;
  fresh_end_ = chunk + chunk_size / slot_size_ * slot_size_;
}

}  // namespace weft
