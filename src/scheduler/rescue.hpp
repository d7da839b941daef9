#pragma once

namespace weft {

class Rescues;

/// Somebody who may have a way out when everybody waits and nothing can wake anybody. Asked before
/// that is declared a deadlock.
class Rescue {
 public:
  Rescue(const Rescue&) = delete;
  Rescue& operator=(const Rescue&) = delete;
  /// True: somebody was woken.
  virtual bool rescue() noexcept = 0;

 protected:
  Rescue() noexcept = default;
  virtual ~Rescue() { leave(); }
  void leave() noexcept;

 private:
  friend class Rescues;
  Rescues* list_ = nullptr;
  Rescue* previous_ = nullptr;
  Rescue* next_ = nullptr;
};

/// All of them. Neither keeps the other alive.
class Rescues {
 public:
  Rescues() noexcept = default;
  ~Rescues() {
    while (first_ != nullptr) first_->leave();
  }
  Rescues(const Rescues&) = delete;
  Rescues& operator=(const Rescues&) = delete;

  /// It leaves any other list. Does nothing if it is in this one.
  void add(Rescue& rescue) noexcept {
    if (rescue.list_ == this) return;
    rescue.leave();
    rescue.list_ = this;
    rescue.next_ = first_;
    if (first_ != nullptr) first_->previous_ = &rescue;
    first_ = &rescue;
  }
  /// Asks everybody.
  bool try_all() noexcept {
    bool helped = false;
    for (Rescue* rescue = first_; rescue != nullptr;) {
      Rescue* const next = rescue->next_;
      helped = rescue->rescue() || helped;
      rescue = next;
    }
    return helped;
  }

 private:
  friend class Rescue;
  Rescue* first_ = nullptr;
};

inline void Rescue::leave() noexcept {
  if (list_ == nullptr) return;
  (previous_ != nullptr ? previous_->next_ : list_->first_) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
  list_ = nullptr;
  previous_ = next_ = nullptr;
}

}  // namespace weft
