#pragma once

namespace weft {

class Rescues;

/// Deadlock hook: called when all coroutines wait and no event can wake one, before that is
/// declared a deadlock.
class Rescue {
 public:
  Rescue(const Rescue&) = delete;
  Rescue& operator=(const Rescue&) = delete;
  /// True: a coroutine was woken.
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

/// The deadlock hooks of a runtime. Neither list nor hook keeps the other alive.
class Rescues {
 public:
  Rescues() noexcept = default;
  ~Rescues() {
    while (first_ != nullptr) first_->leave();
  }
  Rescues(const Rescues&) = delete;
  Rescues& operator=(const Rescues&) = delete;

  /// Takes `rescue` from its present list, if that is another one.
  void add(Rescue& rescue) noexcept {
    if (rescue.list_ == this) return;
    rescue.leave();
    rescue.list_ = this;
    rescue.next_ = first_;
    if (first_ != nullptr) first_->previous_ = &rescue;
    first_ = &rescue;
  }
  /// Calls all hooks. True if one has woken a coroutine.
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
