#include "weft/copyable_function.hpp"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "weft/options.hpp"

namespace weft {
namespace {

TEST(CopyableFunction, CallsWhatItWasMadeOf) {
  const CopyableFunction<int(int, const std::string&)> sum = [more = 2](int a,
                                                                        const std::string& text) {
    return a + more + static_cast<int>(text.size());
  };
  EXPECT_EQ(sum(1, "four"), 7);
}

TEST(CopyableFunction, ACopyCallsACopy) {
  CopyableFunction<int()> first = [count = 0]() mutable { return ++count; };
  EXPECT_EQ(first(), 1);
  const CopyableFunction<int()> second = first;
  EXPECT_EQ(second(), 2);
  EXPECT_EQ(second(), 3);
  EXPECT_EQ(first(), 2);
}

TEST(CopyableFunction, IsEmptyIfMadeOfNothing) {
  using Handler = CopyableFunction<void()>;
  void (*const no_function)() = nullptr;
  EXPECT_FALSE(Handler{});
  EXPECT_FALSE(Handler{nullptr});
  EXPECT_FALSE(Handler{no_function});
  EXPECT_FALSE(Handler{std::function<void()>{}});
  const Handler copy = Handler{};
  EXPECT_TRUE(copy == nullptr);
  EXPECT_TRUE(Handler{[] {}});
}

TEST(CopyableFunction, GivesUpWhatItHadWhenAssigned) {
  CopyableFunction<int()> function = [] { return 1; };
  CopyableFunction<int()> other = [] { return 2; };
  function = std::move(other);
  EXPECT_EQ(function(), 2);
  EXPECT_FALSE(other);  // NOLINT(bugprone-use-after-move): empty after a move
  function = nullptr;
  EXPECT_FALSE(function);
}

TEST(CopyableFunction, OptionsAreCopiedWithTheirHandlers) {
  std::string warnings;
  Options options;
  options.on_warning = [&warnings](std::string_view text) { warnings += text; };
  const Options copy = options;
  copy.on_warning("a");
  options.on_warning("b");
  EXPECT_EQ(warnings, "ab");
}

}  // namespace
}  // namespace weft
