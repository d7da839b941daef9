#pragma once

#include "weft/detail/intrusive_list.hpp"

namespace weft {

/// A list of which each member is told something, while what is told may remove any member and add
/// others.
template <class T>
class NotifyList : public detail::IntrusiveList<T> {
 public:
  /// Calls `tell(member)` for each member that is in the list now, in order, unless it is removed
  /// before its turn. One that is added meanwhile, also again, waits for the next call. The list
  /// must stay until this returns.
  template <class F>
  void notify(F&& tell) {
    Round round{this->first_link(), this->last_link(), round_};
    round_ = &round;
    while (round.at != round.end) {
      T& member = **round.at;
      round.at = &this->next_in(member);
      tell(member);
    }
    round_ = round.outer;
  }
  void remove(T& member) noexcept {
    for (Round* round = round_; round != nullptr; round = round->outer) {
      if (round->at == &this->next_in(member)) round->at = this->link_in(member);
      if (round->end == &this->next_in(member)) round->end = this->link_in(member);
    }
    detail::IntrusiveList<T>::remove(member);
  }
  T* pop_front() = delete;
  void push_front(T& member) = delete;
  void insert_before(T* behind, T& member) = delete;

 private:
  /// A call of notify(), on its stack: between which two links its walk still has to go.
  struct Round {
    T** at;
    T** end;
    Round* outer;
  };
  Round* round_ = nullptr;
};

}  // namespace weft
