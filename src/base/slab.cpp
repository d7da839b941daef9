#include "base/slab.hpp"

#include <new>

namespace weft {

// A chunk is aligned to its size, so that a slot finds its slab by masking its own address.
struct Slab::Chunk {
  Slab* slab;
  Chunk* next;
};

Slab::~Slab() {
  while (chunks_ != nullptr) {
    Chunk* next = chunks_->next;
    ::operator delete (chunks_, std::align_val_t{chunk_size});
    chunks_ = next;
  }
}

void Slab::release() noexcept {
  owned_ = false;
  if (live_ == 0) delete this;
}

void* Slab::allocate() {
  if (free_ != nullptr) {
    FreeSlot* slot = free_;
    free_ = slot->next;
    ++live_;
    return slot;
  }
  if (fresh_ == fresh_end_) add_chunk();
  std::byte* slot = fresh_;
  fresh_ += slot_size;
  ++live_;
  return slot;
}

void Slab::deallocate(void* slot) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(slot);
  Slab& slab = *reinterpret_cast<Chunk*>(address & ~(chunk_size - 1))->slab;
  slab.free_ = ::new (slot) FreeSlot{slab.free_};
  if (--slab.live_ == 0 && !slab.owned_) delete &slab;
}

void Slab::add_chunk() {
  auto* memory = static_cast<std::byte*>(::operator new (chunk_size, std::align_val_t{chunk_size}));
  chunks_ = ::new (memory) Chunk{this, chunks_};
  fresh_ = memory + slot_size;
  fresh_end_ = memory + chunk_size;
}

}  // namespace weft
