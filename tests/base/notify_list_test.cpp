#include "base/notify_list.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace {

using weft::NotifyList;

class Listener {
 public:
  explicit Listener(int value) noexcept : number{value} {}
  int number;

 private:
  friend class weft::detail::ListAccess;
  weft::detail::ListLinks<Listener> list_links_;
};

class NotifyListTest : public ::testing::Test {
 protected:
  NotifyListTest() {
    for (Listener* member : {&one, &two, &three}) list.push_back(*member);
  }
  /// Notifies all members, and calls `then` after each.
  template <class F>
  std::vector<int> notified(F&& then) {
    std::vector<int> numbers;
    list.notify([&](Listener& member) {
      numbers.push_back(member.number);
      then(member);
    });
    return numbers;
  }
  std::vector<int> notified() {
    return notified([](Listener&) {});
  }

  Listener one{1};
  Listener two{2};
  Listener three{3};
  Listener four{4};
  NotifyList<Listener> list;
};

using Numbers = std::vector<int>;

TEST_F(NotifyListTest, NotifiesEachMemberOnceInOrder) {
  EXPECT_EQ(notified(), (Numbers{1, 2, 3}));
  EXPECT_EQ(notified(), (Numbers{1, 2, 3}));
}

TEST_F(NotifyListTest, GoesOnWhenTheNotifiedMemberLeaves) {
  EXPECT_EQ(notified([&](Listener& member) { list.remove(member); }), (Numbers{1, 2, 3}));
  EXPECT_TRUE(list.empty());
}

TEST_F(NotifyListTest, DoesNotNotifyAMemberThatLeavesBeforeItsTurn) {
  EXPECT_EQ(notified([&](Listener& member) {
              if (&member == &one) list.remove(two);
            }),
            (Numbers{1, 3}));
}

TEST_F(NotifyListTest, EndsWhenAllOthersLeave) {
  EXPECT_EQ(notified([&](Listener& member) {
              if (&member != &one) return;
              list.remove(three);
              list.remove(two);
            }),
            (Numbers{1}));
}

TEST_F(NotifyListTest, NotifiesAMemberThatComesMeanwhileOnlyNextTime) {
  EXPECT_EQ(notified([&](Listener& member) {
              if (&member == &three) list.push_back(four);
            }),
            (Numbers{1, 2, 3}));
  EXPECT_EQ(notified(), (Numbers{1, 2, 3, 4}));
}

TEST_F(NotifyListTest, NotifiesAMemberThatLeavesAndComesBackOnlyNextTime) {
  EXPECT_EQ(notified([&](Listener& member) {
              list.remove(member);
              list.push_back(member);
            }),
            (Numbers{1, 2, 3}));
  EXPECT_EQ(notified([&](Listener& member) {
              if (&member != &one) return;
              list.remove(three);  // the last one; members behind it are new
              list.push_back(three);
            }),
            (Numbers{1, 2}));
}

TEST_F(NotifyListTest, NotifiesThoseThatWerePresentWhenTheRoundBeganAndHaveNotLeft) {
  NotifyList<Listener>::Round round{list};
  list.push_back(four);
  list.remove(one);
  list.remove(three);
  list.push_back(one);
  Numbers numbers;
  round.notify([&](Listener& member) { numbers.push_back(member.number); });
  EXPECT_EQ(numbers, (Numbers{2}));
}

TEST_F(NotifyListTest, MayNotifyAgainWhileItNotifies) {
  Numbers inner;
  EXPECT_EQ(notified([&](Listener& member) {
              if (&member != &one) return;
              inner = notified([&](Listener& innermost) {
                if (&innermost == &two) list.remove(three);
              });
            }),
            (Numbers{1, 2}));
  EXPECT_EQ(inner, (Numbers{1, 2}));
}

}  // namespace
