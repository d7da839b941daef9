#pragma once

#include "weft/detail/intrusive_list.hpp"

namespace weft {

/// A list of which each member is notified, while a notified member may remove any member and add
/// others.
template <class T>
class NotifyList : public detail::IntrusiveList<T> {
 public:
  /// The members that are in the list when the round begins. One that is added later, also again,
  /// waits for the next round. A round lives on the stack; its list must outlive it.
  class Round {
   public:
    explicit Round(NotifyList& list) noexcept
        : list_{list}, at_{list.first_link()}, end_{list.last_link()}, outer_{list.round_} {
      list.round_ = this;
    }
    ~Round() { list_.round_ = outer_; }
    Round(const Round&) = delete;
    Round& operator=(const Round&) = delete;

    /// Calls `visit(member)` for each of them, in order, unless it is removed before its turn.
    template <class F>
    void notify(F&& visit) {
      while (at_ != end_) {
        T& member = **at_;
        at_ = &NotifyList::next_in(member);
        visit(member);
      }
    }

   private:
    friend class NotifyList;
    NotifyList& list_;
    T** at_;  // the walk still has to go from here to `end_`
    T** end_;
    Round* outer_;
  };

  /// A whole round.
  template <class F>
  void notify(F&& visit) {
    if (this->empty()) return;
    Round round{*this};
    round.notify(visit);
  }
  void remove(T& member) noexcept {
    for (Round* round = round_; round != nullptr; round = round->outer_) {
      if (round->at_ == &this->next_in(member)) round->at_ = this->link_in(member);
      if (round->end_ == &this->next_in(member)) round->end_ = this->link_in(member);
    }
    detail::IntrusiveList<T>::remove(member);
  }
  // New members come behind those of a round, and leave as remove() says.
  void push_front(T& member) = delete;
  void insert_before(T* behind, T& member) = delete;
  T* pop_front() = delete;

 private:
  Round* round_ = nullptr;  // the innermost one
};

}  // namespace weft
