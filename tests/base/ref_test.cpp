#include "weft/ref.hpp"

#include <gtest/gtest.h>

namespace {

using weft::Counted;
using weft::make_ref;
using weft::Ref;

class Shared final : public Counted<Shared> {
 public:
  explicit Shared(int& destroyed) noexcept : destroyed_{destroyed} {}

 private:
  friend class Counted<Shared>;
  ~Shared() { ++destroyed_; }
  int& destroyed_;
};

TEST(Counted, IsDestroyedWithItsLastReferenceAndNotBefore) {
  int destroyed = 0;
  Ref<Shared> first = make_ref<Shared>(destroyed);
  EXPECT_EQ(first->references(), 1U);
  Ref<Shared> second = first;
  EXPECT_EQ(first->references(), 2U);
  first = nullptr;
  EXPECT_EQ(destroyed, 0);
  second = nullptr;
  EXPECT_EQ(destroyed, 1);
}

TEST(Counted, IsNotDeletedIfItIsPartOfAnotherObject) {
  struct Part final : Counted<Part> {
  } part;
  { const Ref<Part> held{&part}; }
  EXPECT_EQ(part.references(), 1U);
}

}  // namespace
