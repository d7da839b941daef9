#include "base/notify_list.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace {

using weft::NotifyList;

class Member {
 public:
  explicit Member(int value) noexcept : number{value} {}
  int number;

 private:
  friend class weft::detail::ListAccess;
  weft::detail::ListLinks<Member> list_links_;
};

class NotifyListTest : public ::testing::Test {
 protected:
  NotifyListTest() {
    for (Member* member : {&one, &two, &three}) list.push_back(*member);
  }
  /// Notifies all; `then` runs after each.
  template <class F>
  std::vector<int> told(F&& then) {
    std::vector<int> numbers;
    list.notify([&](Member& member) {
      numbers.push_back(member.number);
      then(member);
    });
    return numbers;
  }
  std::vector<int> told() {
    return told([](Member&) {});
  }

  Member one{1};
  Member two{2};
  Member three{3};
  Member four{4};
  NotifyList<Member> list;
};

using Numbers = std::vector<int>;

TEST_F(NotifyListTest, TellsEachMemberOnceInOrder) {
  EXPECT_EQ(told(), (Numbers{1, 2, 3}));
  EXPECT_EQ(told(), (Numbers{1, 2, 3}));
}

TEST_F(NotifyListTest, GoesOnWhenTheMemberThatIsToldLeaves) {
  EXPECT_EQ(told([&](Member& member) { list.remove(member); }), (Numbers{1, 2, 3}));
  EXPECT_TRUE(list.empty());
}

TEST_F(NotifyListTest, DoesNotTellAMemberThatLeavesBeforeItsTurn) {
  EXPECT_EQ(told([&](Member& member) {
              if (&member == &one) list.remove(two);
            }),
            (Numbers{1, 3}));
}

TEST_F(NotifyListTest, EndsWhenAllOthersLeave) {
  EXPECT_EQ(told([&](Member& member) {
              if (&member != &one) return;
              list.remove(three);
              list.remove(two);
            }),
            (Numbers{1}));
}

TEST_F(NotifyListTest, TellsAMemberThatComesMeanwhileOnlyNextTime) {
  EXPECT_EQ(told([&](Member& member) {
              if (&member == &three) list.push_back(four);
            }),
            (Numbers{1, 2, 3}));
  EXPECT_EQ(told(), (Numbers{1, 2, 3, 4}));
}

TEST_F(NotifyListTest, TellsAMemberThatLeavesAndComesBackOnlyNextTime) {
  EXPECT_EQ(told([&](Member& member) {
              list.remove(member);
              list.push_back(member);
            }),
            (Numbers{1, 2, 3}));
  EXPECT_EQ(told([&](Member& member) {
              if (&member != &one) return;
              list.remove(three);  // the last: those behind it are new
              list.push_back(three);
            }),
            (Numbers{1, 2}));
}

TEST_F(NotifyListTest, MayNotifyAgainWhileItNotifies) {
  Numbers inner;
  EXPECT_EQ(told([&](Member& member) {
              if (&member != &one) return;
              inner = told([&](Member& innermost) {
                if (&innermost == &two) list.remove(three);
              });
            }),
            (Numbers{1, 2}));
  EXPECT_EQ(inner, (Numbers{1, 2}));
}

}  // namespace
