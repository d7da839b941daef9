#include "base/slab.hpp"

#include <cstddef>
#include <cstring>
#include <iterator>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace {

using weft::Slab;

TEST(SlabTest, GivesDistinctSlotsAndUsesThemAgain) {
  for (const std::size_t size : {Slab::narrow, Slab::wide}) {
    Slab* slab = Slab::create(size);
    std::set<std::byte*> slots;
    for (int i = 0; i < 1'000; ++i) {
      void* slot = slab->allocate();
      std::memset(slot, i & 0xff, size);
      EXPECT_TRUE(slots.insert(static_cast<std::byte*>(slot)).second);
    }
    for (auto slot = slots.begin(); std::next(slot) != slots.end(); ++slot) {
      EXPECT_GE(*std::next(slot), *slot + size);
    }
    void* last = *slots.begin();
    Slab::deallocate(last);
    EXPECT_EQ(slab->allocate(), last);
    for (void* slot : slots) Slab::deallocate(slot);
    slab->release();
  }
}

// The sanitizer reports an access to a destroyed object, although its slot is still allocated.
TEST(SlabTest, IsForbiddenToTheAddressSanitizerWhereItIsFree) {
#if WEFT_ASAN
  Slab* slab = Slab::create(Slab::narrow);
  void* slot = slab->allocate();
  EXPECT_EQ(__asan_region_is_poisoned(slot, Slab::narrow), nullptr);
  Slab::deallocate(slot);
  EXPECT_NE(__asan_address_is_poisoned(slot), 0);
  EXPECT_EQ(slab->allocate(), slot);
  EXPECT_EQ(__asan_region_is_poisoned(slot, Slab::narrow), nullptr);
  Slab::deallocate(slot);
  slab->release();
#else
  GTEST_SKIP() << "there is no address sanitizer";
#endif
}

// Coroutine handles may outlive their runtime.
TEST(SlabTest, LivesAsLongAsItsLastSlot) {
  Slab* slab = Slab::create(Slab::narrow);
  void* kept = slab->allocate();
  slab->release();
  std::memset(kept, 1, Slab::narrow);
  Slab::deallocate(kept);
}

/// The address of the first slot of a slab that was destroyed.
void* first_slot() {
  Slab* slab = Slab::create(Slab::narrow);
  void* slot = slab->allocate();
  Slab::deallocate(slot);
  slab->release();
  return slot;
}

TEST(SpareSlabTest, GivesTheMemoryOfOneSlabToTheNext) {
  const weft::SpareSlab spare;
  void* before = first_slot();
  EXPECT_EQ(first_slot(), before);
}

TEST(SpareSlabTest, KeepsOneOfEachSize) {
  const weft::SpareSlab spare;
  Slab* wide = Slab::create(Slab::wide);
  void* before = wide->allocate();
  Slab::deallocate(before);
  wide->release();
  EXPECT_NE(first_slot(), before);
  wide = Slab::create(Slab::wide);
  EXPECT_EQ(wide->allocate(), before);
  Slab::deallocate(before);
  wide->release();
}

TEST(SpareSlabTest, BeginsAgainWithTheSameSlotsInTheSameOrder) {
  const weft::SpareSlab spare;
  std::vector<void*> orders[2];
  for (std::vector<void*>& order : orders) {
    Slab* slab = Slab::create(Slab::narrow);
    for (int i = 0; i < 200; ++i) order.push_back(slab->allocate());
    for (void* slot : order) Slab::deallocate(slot);
    slab->release();
  }
  EXPECT_EQ(orders[0], orders[1]);
}

TEST(SpareSlabTest, LeavesASlabAloneThatIsStillUsed) {
  const weft::SpareSlab spare;
  Slab* slab = Slab::create(Slab::narrow);
  void* kept = slab->allocate();
  slab->release();
  EXPECT_NE(first_slot(), kept);
  std::memset(kept, 1, Slab::narrow);
  Slab::deallocate(kept);
}

TEST(SpareSlabTest, DoesNotKeepALargeOne) {
  const weft::SpareSlab spare;
  Slab* slab = Slab::create(Slab::narrow);
  std::vector<void*> slots;
  for (int i = 0; i < 10'000; ++i) slots.push_back(slab->allocate());
  for (void* slot : slots) Slab::deallocate(slot);
  slab->release();
  slab = Slab::create(Slab::narrow);
  std::set<void*> distinct;
  for (int i = 0; i < 1'000; ++i) distinct.insert(slab->allocate());
  EXPECT_EQ(distinct.size(), 1'000U);
  for (void* slot : distinct) Slab::deallocate(slot);
  slab->release();
}

}  // namespace
