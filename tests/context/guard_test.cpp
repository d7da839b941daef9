#include "context/guard.hpp"

#include <cstddef>
#include <string>
#include <sys/mman.h>

#include <gtest/gtest.h>

#include "weft/error.hpp"

namespace {

using weft::GuardKind;
using weft::Guards;

/// Address space for a few guards.
class Space {
 public:
  Space()
      : base_{::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)} {}
  ~Space() { ::munmap(base_, size); }
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  [[nodiscard]] void* at(std::size_t index) const {
    return static_cast<std::byte*>(base_) + index * 2 * Guards::width;
  }

 private:
  static constexpr std::size_t size = 8 * Guards::width;
  void* base_;
};

// R-CPO-7, trap 29: the weaker kinds of guards, below the one that this kernel allows.
TEST(GuardLadder, RefusesBeyondTheLimitOfProtectedPagesAndNamesTheSetting) {
  const Space space;
  Guards guards{false};
  guards.start_at(GuardKind::pages);
  guards.limit_pages(2);
  EXPECT_EQ(guards.install(space.at(0)), GuardKind::pages);
  EXPECT_EQ(guards.install(space.at(1)), GuardKind::pages);
  try {
    guards.install(space.at(2));
    FAIL() << "the limit was not kept";
  } catch (const weft::StackError& error) {
    EXPECT_NE(std::string{error.what()}.find("vm.max_map_count"), std::string::npos);
  }
}

// R-CPO-7
TEST(GuardLadder, EndsInACanaryIfTheUserAgreed) {
  const Space space;
  Guards guards{true};
  guards.start_at(GuardKind::pages);
  guards.limit_pages(1);
  EXPECT_EQ(guards.install(space.at(0)), GuardKind::pages);
  EXPECT_EQ(guards.install(space.at(1)), GuardKind::canary);
}

}  // namespace
