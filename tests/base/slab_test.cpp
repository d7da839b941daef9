#include "base/slab.hpp"

#include <cstring>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace {

using weft::Slab;

TEST(SlabTest, GivesDistinctSlotsAndUsesThemAgain) {
  Slab* slab = Slab::create();
  std::set<void*> slots;
  for (int i = 0; i < 1'000; ++i) {
    void* slot = slab->allocate();
    std::memset(slot, i & 0xff, Slab::slot_size);
    EXPECT_TRUE(slots.insert(slot).second);
  }
  void* last = *slots.begin();
  Slab::deallocate(last);
  EXPECT_EQ(slab->allocate(), last);
  for (void* slot : slots) Slab::deallocate(slot);
  slab->release();
}

// Coroutine handles may outlive their runtime.
TEST(SlabTest, LivesAsLongAsItsLastSlot) {
  Slab* slab = Slab::create();
  void* kept = slab->allocate();
  slab->release();
  std::memset(kept, 1, Slab::slot_size);
  Slab::deallocate(kept);
}

}  // namespace
