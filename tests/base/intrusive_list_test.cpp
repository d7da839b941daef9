#include "weft/detail/intrusive_list.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace {

using weft::detail::IntrusiveList;
using weft::detail::ListAccess;
using weft::detail::ListLinks;
using weft::detail::SlimList;

class Member {
 public:
  explicit Member(int value) noexcept : number{value} {}
  [[nodiscard]] bool is_listed() const noexcept { return list_links_.is_listed(); }
  [[nodiscard]] Member* next() const noexcept { return list_links_.next(); }
  int number;

 private:
  friend class weft::detail::ListAccess;
  ListLinks<Member> list_links_;
};

template <class List>
std::vector<int> numbers(const List& list) {
  std::vector<int> found;
  for (const Member& member : list) found.push_back(member.number);
  return found;
}

using Numbers = std::vector<int>;

TEST(IntrusiveList, KeepsTheOrderInWhichMembersWereAddedAtEitherEnd) {
  Member a{1};
  Member b{2};
  Member c{3};
  IntrusiveList<Member> list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.first(), nullptr);
  list.push_back(b);
  list.push_back(c);
  list.push_front(a);
  EXPECT_EQ(numbers(list), (Numbers{1, 2, 3}));
  EXPECT_EQ(list.first(), &a);
  EXPECT_EQ(a.next(), &b);
  EXPECT_EQ(c.next(), nullptr);
}

TEST(IntrusiveList, RemovesTheFirstAMiddleAndTheLastMember) {
  std::array<Member, 5> members{Member{0}, Member{1}, Member{2}, Member{3}, Member{4}};
  IntrusiveList<Member> list;
  for (Member& member : members) list.push_back(member);
  list.remove(members[2]);
  EXPECT_FALSE(members[2].is_listed());
  EXPECT_EQ(numbers(list), (Numbers{0, 1, 3, 4}));
  list.remove(members[0]);
  list.remove(members[4]);
  EXPECT_EQ(numbers(list), (Numbers{1, 3}));
  list.push_back(members[2]);  // push_back() works after the last member was removed
  EXPECT_EQ(numbers(list), (Numbers{1, 3, 2}));
}

TEST(IntrusiveList, IsAsNewWhenItsLastMemberHasLeft) {
  Member a{1};
  IntrusiveList<Member> list;
  list.push_back(a);
  list.remove(a);
  EXPECT_TRUE(list.empty());
  list.push_front(a);
  EXPECT_TRUE(a.is_listed());
  EXPECT_EQ(numbers(list), (Numbers{1}));
  EXPECT_EQ(list.pop_front(), &a);
  EXPECT_EQ(list.pop_front(), nullptr);
}

TEST(IntrusiveList, InsertsBeforeAMemberAndAtTheEnd) {
  Member a{1};
  Member b{2};
  Member c{3};
  Member d{4};
  IntrusiveList<Member> list;
  list.insert_before(nullptr, c);
  list.insert_before(&c, a);
  list.insert_before(&c, b);
  list.insert_before(nullptr, d);
  EXPECT_EQ(numbers(list), (Numbers{1, 2, 3, 4}));
}

TEST(IntrusiveList, DoesWhatAVectorDoes) {
  std::mt19937 random{4};
  std::deque<Member> members;
  for (int i = 0; i < 20; ++i) members.emplace_back(i);
  IntrusiveList<Member> list;
  Numbers expected;
  for (int step = 0; step < 10'000; ++step) {
    Member& member = members[random() % members.size()];
    if (member.is_listed()) {
      list.remove(member);
      expected.erase(std::find(expected.begin(), expected.end(), member.number));
    } else if (random() % 2 == 0) {
      list.push_back(member);
      expected.push_back(member.number);
    } else {
      list.push_front(member);
      expected.insert(expected.begin(), member.number);
    }
    ASSERT_EQ(numbers(list), expected);
  }
}

TEST(SlimList, AddsAtBothEndsAndAMemberLeavesWithoutItsList) {
  Member a{1};
  Member b{2};
  Member c{3};
  SlimList<Member> list;
  list.push_back(b);
  list.push_front(a);
  list.push_back(c);
  EXPECT_EQ(numbers(list), (Numbers{1, 2, 3}));
  SlimList<Member>::remove(b);
  EXPECT_FALSE(b.is_listed());
  EXPECT_EQ(numbers(list), (Numbers{1, 3}));
  SlimList<Member>::remove(a);
  EXPECT_EQ(list.first(), &c);
  SlimList<Member>::remove(c);
  EXPECT_TRUE(list.empty());
}

}  // namespace
