#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bells.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using weft_test::Bells;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;

class CallbackVectorTest : public ::testing::Test {
 protected:
  bool notify() { return vector_.notify(event_, {}); }

  weft::detail::CallbackVector vector_;
  Bells bells_{vector_};
  Doorbell event_;
};

// R-CB-1
TEST_F(CallbackVectorTest, GrowsAsNeededAndKeepsTheOrderOfArrival) {
  EXPECT_TRUE(vector_.empty());
  Log expected;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(vector_.size(), static_cast<std::uint32_t>(i));
    bells_.add(std::to_string(i));
    expected.push_back(std::to_string(i));
  }
  EXPECT_TRUE(notify());
  EXPECT_EQ(bells_.log, expected);
}

// R-CB-1
TEST_F(CallbackVectorTest, KnowsWhetherANotificationIsInProgress) {
  bool during = false;
  bells_.add("look", [&] { during = vector_.is_notifying(); });
  EXPECT_FALSE(vector_.is_notifying());
  notify();
  EXPECT_TRUE(during);
  EXPECT_FALSE(vector_.is_notifying());
}

// R-CB-2, R-EVT-7
TEST_F(CallbackVectorTest, SharesACallbackWithItsOtherHolders) {
  struct Mortal final : weft::Callback {
    explicit Mortal(bool& flag) : gone{&flag} {}
    ~Mortal() override { *gone = true; }
    void on_notify(weft::Event&, const weft::Outcome&) noexcept override {}
    bool* gone;
  };
  bool gone = false;
  auto held = weft::make_ref<Mortal>(gone);
  vector_.push(*held);
  EXPECT_EQ(held->references(), 2U);
  Mortal* callback = held.get();
  held = nullptr;
  EXPECT_FALSE(gone) << "the vector still holds it";
  EXPECT_EQ(callback->references(), 1U);
  EXPECT_TRUE(vector_.remove(*callback));
  EXPECT_TRUE(gone);

  gone = false;
  held = weft::make_ref<Mortal>(gone);
  vector_.push(*held);
  vector_.remove(*held);
  EXPECT_FALSE(gone) << "we still hold it";
  held = nullptr;
  EXPECT_TRUE(gone);
}

// R-CB-4
TEST_F(CallbackVectorTest, RemovesBySwappingInTheLastOne) {
  Call& a = bells_.add("a");
  bells_.add("b");
  bells_.add("c");
  bells_.add("d");
  EXPECT_TRUE(vector_.remove(a));
  notify();
  EXPECT_EQ(bells_.log, (Log{"d", "b", "c"}));
}

// R-CB-4
TEST_F(CallbackVectorTest, FindsACallbackThatWasMovedByARemoval) {
  Call& a = bells_.add("a");
  Call& b = bells_.add("b");
  Call& c = bells_.add("c");
  EXPECT_TRUE(vector_.remove(a));
  EXPECT_TRUE(vector_.remove(c)) << "c was moved to the place of a";
  EXPECT_FALSE(vector_.remove(a));
  notify();
  EXPECT_EQ(bells_.log, (Log{"b"}));
  EXPECT_TRUE(vector_.remove(b));
  EXPECT_TRUE(vector_.empty());
}

// R-CB-7
TEST_F(CallbackVectorTest, CallsOneThatIsAddedMeanwhileInTheSamePass) {
  Call& late = bells_.make("late");
  bells_.add("a", [&] { vector_.push(late); });
  bells_.add("b");
  notify();
  EXPECT_EQ(bells_.log, (Log{"a", "b", "late"}));
}

// R-CB-7: the array may grow during the iteration.
TEST_F(CallbackVectorTest, GrowsDuringANotification) {
  std::vector<Call*> late;
  for (int i = 0; i < 50; ++i) late.push_back(&bells_.make("late"));
  bells_.add("a", [&] {
    for (Call* call : late) vector_.push(*call);
  });
  notify();
  EXPECT_EQ(bells_.log.size(), 51U);
}

// R-CB-7, R-CB-6
TEST_F(CallbackVectorTest, DoesNotCallOneThatWasAddedAndRemovedMeanwhile) {
  Call& late = bells_.make("late");
  bells_.add("a", [&] { vector_.push(late); });
  bells_.add("b", [&] { vector_.remove(late); });
  notify();
  EXPECT_EQ(bells_.log, (Log{"a", "b"}));
}

// R-CB-8, trap 12
TEST(CallbackVectorInARuntime, RefusesANotificationInsideItself) {
  std::vector<std::string> warnings;
  Log log;
  weft::testing::run(
      [&] {
        weft::detail::CallbackVector vector;
        Doorbell event;
        Bells bells{vector};
        bells.add("a", [&] { EXPECT_FALSE(vector.notify(event, {})); });
        bells.add("b");
        EXPECT_TRUE(vector.notify(event, {}));
        log = bells.log;
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(log, (Log{"a", "b"}));
  EXPECT_EQ(warnings.size(), 1U);
}

// R-CB-8: one event may notify while another does.
TEST(CallbackVectorInARuntime, AllowsANotificationOfAnotherEventInsideOne) {
  std::vector<std::string> warnings;
  Log log;
  weft::testing::run(
      [&] {
        Doorbell outer;
        Doorbell inner;
        Call on_inner{[&](weft::Event&, const weft::Outcome&) { log.push_back("inner"); }};
        Call on_outer{[&](weft::Event&, const weft::Outcome&) {
          log.push_back("outer");
          inner.ring();
        }};
        inner.add_callback(on_inner);
        outer.add_callback(on_outer);
        outer.ring();
        inner.remove_callback(on_inner);
        outer.remove_callback(on_outer);
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(log, (Log{"outer", "inner"}));
  EXPECT_TRUE(warnings.empty());
}

// R-CB-11
TEST(CallbackVectorInARuntime, RefusesToBeClearedDuringANotification) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        weft::detail::CallbackVector vector;
        Doorbell event;
        Bells bells{vector};
        Call& a = bells.add("a", [&] { EXPECT_FALSE(vector.clear()); });
        bells.add("b");
        vector.notify(event, {});
        EXPECT_EQ(bells.log, (Log{"a", "b"}));
        EXPECT_EQ(a.disposed(), 0);
        EXPECT_EQ(vector.size(), 2U);
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(warnings.size(), 1U);
}

// R-CB-11
TEST(CallbackVector, DisposesTheCallbacksLeftWhenItIsClearedOrDestroyed) {
  const auto nothing = [](weft::Event&, const weft::Outcome&) {};
  Call first{nothing};
  Call second{nothing};
  {
    weft::detail::CallbackVector vector;
    vector.push(first);
    vector.push(second);
    EXPECT_TRUE(vector.clear());
    EXPECT_EQ(first.disposed(), 1);
    EXPECT_EQ(second.disposed(), 1);
    EXPECT_EQ(first.references(), 1U);
    EXPECT_FALSE(first.is_subscribed());
    EXPECT_TRUE(vector.empty());
    vector.push(first);
    vector.push(second);
  }
  EXPECT_EQ(first.disposed(), 2);
  EXPECT_EQ(second.disposed(), 2);
  EXPECT_EQ(second.references(), 1U);
  EXPECT_FALSE(second.is_subscribed());
}

}  // namespace
