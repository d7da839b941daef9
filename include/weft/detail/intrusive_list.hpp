#pragma once

// Doubly linked lists through their members: adding and removing allocate nothing, take constant
// time and cannot fail. A list neither owns its members nor keeps them alive.
//
// A class whose objects are listed has two lines, and is then in one list at most:
//
//     friend class detail::ListAccess;
//     detail::ListLinks<Waiter> list_links_;
namespace weft::detail {

class ListAccess;

/// The place of a T in a list. The link back leads to the pointer before it and not to the member
/// before it: so the first member is no special case, and a list cannot be walked backwards.
template <class T>
class ListLinks {
 public:
  ListLinks() noexcept {
  }  // NOLINT(cppcoreguidelines-pro-type-member-init,modernize-use-equals-default)
  ListLinks(const ListLinks&) = delete;
  ListLinks& operator=(const ListLinks&) = delete;
  ~ListLinks() = default;

  [[nodiscard]] bool is_listed() const noexcept { return link_ != nullptr; }
  /// The member behind it, or null. Only while it is listed.
  [[nodiscard]] T* next() const noexcept { return next_; }

 private:
  friend class ListAccess;
  T* next_;             // valid while it is listed
  T** link_ = nullptr;  // what points at it: the list, or the links of the member before it
};

/// How the lists reach the links of their members.
class ListAccess {
 protected:
  template <class T>
  static T* next_of(const T& member) noexcept {
    return member.list_links_.next_;
  }
  template <class T>
  static T*& next_in(T& member) noexcept {
    return member.list_links_.next_;
  }
  template <class T>
  static T**& link_in(T& member) noexcept {
    return member.list_links_.link_;
  }
};

/// Walks over a list. The present member must not leave it before the next step.
template <class T>
class ListIterator : ListAccess {
 public:
  explicit ListIterator(T* member) noexcept : member_{member} {}
  T& operator*() const noexcept { return *member_; }
  ListIterator& operator++() noexcept {
    member_ = next_of(*member_);
    return *this;
  }
  friend bool operator==(const ListIterator& a, const ListIterator& b) noexcept {
    return a.member_ == b.member_;
  }

 private:
  T* member_;
};

/// A list with two ends: a queue.
template <class T>
class IntrusiveList : protected ListAccess {
 public:
  IntrusiveList() noexcept = default;
  IntrusiveList(const IntrusiveList&) = delete;
  IntrusiveList& operator=(const IntrusiveList&) = delete;
  ~IntrusiveList() = default;

  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] T* first() const noexcept { return first_; }
  [[nodiscard]] ListIterator<T> begin() const noexcept { return ListIterator<T>{first_}; }
  [[nodiscard]] ListIterator<T> end() const noexcept { return ListIterator<T>{nullptr}; }

  void push_back(T& member) noexcept {
    next_in(member) = nullptr;
    link_in(member) = last_;
    *last_ = &member;
    last_ = &next_in(member);
  }
  void push_front(T& member) noexcept { insert(first_, member); }
  /// Inserts `member` in front of `behind`, or at the end if that is null.
  void insert_before(T* behind, T& member) noexcept {
    insert(behind != nullptr ? *link_in(*behind) : *last_, member);
  }
  /// `member` must be in this list.
  void remove(T& member) noexcept {
    T* const next = next_in(member);
    T** const link = link_in(member);
    *link = next;
    (next != nullptr ? link_in(*next) : last_) = link;
    link_in(member) = nullptr;
  }
  /// Removes the first member and returns it; null if there is none.
  T* pop_front() noexcept {
    T* const member = first_;
    if (member != nullptr) remove(*member);
    return member;
  }

 protected:
  /// Where walks begin and end: what points at the first member, and the null behind the last.
  [[nodiscard]] T** first_link() noexcept { return &first_; }
  [[nodiscard]] T** last_link() noexcept { return last_; }

 private:
  void insert(T*& link, T& member) noexcept {
    T* const next = link;
    next_in(member) = next;
    link_in(member) = &link;
    (next != nullptr ? link_in(*next) : last_) = &next_in(member);
    link = &member;
  }

  T* first_ = nullptr;
  T** last_ = &first_;
};

/// A list with one end: it takes one pointer, and a member leaves without knowing its list.
template <class T>
class SlimList : ListAccess {
 public:
  SlimList() noexcept = default;
  SlimList(const SlimList&) = delete;
  SlimList& operator=(const SlimList&) = delete;
  ~SlimList() = default;

  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] T* first() const noexcept { return first_; }
  [[nodiscard]] ListIterator<T> begin() const noexcept { return ListIterator<T>{first_}; }
  [[nodiscard]] ListIterator<T> end() const noexcept { return ListIterator<T>{nullptr}; }

  void push_front(T& member) noexcept {
    next_in(member) = first_;
    link_in(member) = &first_;
    if (first_ != nullptr) link_in(*first_) = &next_in(member);
    first_ = &member;
  }
  /// Walks to the end: for lists that seldom have more than one member.
  void push_back(T& member) noexcept {
    T** end = &first_;
    while (*end != nullptr) end = &next_in(**end);
    next_in(member) = nullptr;
    link_in(member) = end;
    *end = &member;
  }
  /// Removes `member` from the SlimList it is in.
  static void remove(T& member) noexcept {
    T* const next = next_in(member);
    *link_in(member) = next;
    if (next != nullptr) link_in(*next) = link_in(member);
    link_in(member) = nullptr;
  }

 private:
  T* first_ = nullptr;
};

}  // namespace weft::detail
