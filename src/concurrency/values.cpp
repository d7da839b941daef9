#include "weft/values.hpp"

#include <algorithm>

#include "scheduler/scheduler.hpp"

namespace weft {

const Values::Entry* Values::entry(Key key) const noexcept {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.object == key.object && (key.object != nullptr || e.text == key.text);
  });
  return found != entries_.end() ? &*found : nullptr;
}

Values& Values::put(Key key, std::shared_ptr<void> value, const void* type, bool replace) {
  if (const Entry* known = entry(key)) {
    if (!replace) throw ValuesError{"The key has a value here already; replace() would change it"};
    Entry& here = entries_[static_cast<std::size_t>(known - entries_.data())];
    here.value.swap(value);  // the old value dies last: its destructor may read this
    here.type = type;
  } else {
    entries_.push_back({key.object, std::string{key.text}, std::move(value), type});
  }
  return *this;
}

Values& Values::remove(Key key) noexcept {
  if (const Entry* known = entry(key)) {
    const auto at = entries_.begin() + (known - entries_.data());
    const std::shared_ptr<void> last = std::move(at->value);  // its destructor may read this
    entries_.erase(at);
  }
  return *this;
}

const void* Values::find_value(Key key, const void* type) const noexcept {
  const Entry* found = entry(key);
  return found != nullptr && found->type == type ? found->value.get() : nullptr;
}

/// Searches these values and those of the ancestor scopes, past scopes without any.
const Values::Entry* Values::entry_above(Key key) const noexcept {
  if (const Entry* found = entry(key)) return found;
  if (owner_ == nullptr) return nullptr;
  for (Owner* o = static_cast<const Owner*>(owner_)->parent(); o != nullptr; o = o->parent()) {
    if (o->values == nullptr) continue;
    if (const Entry* found = static_cast<const Values*>(o->values.get())->entry(key)) return found;
  }
  return nullptr;
}

const void* Values::search(Key key, const void* type) const noexcept {
  const Entry* found = entry_above(key);
  return found != nullptr && found->type == type ? found->value.get() : nullptr;
}

bool Values::has(std::string_view key) const noexcept {
  return entry_above({nullptr, key}) != nullptr;
}

bool Values::has_local(std::string_view key) const noexcept {
  return entry({nullptr, key}) != nullptr;
}

const void* Values::demand(const void* value) {
  if (value == nullptr) throw ValuesError{"There is no value for this key, here or above"};
  return value;
}

namespace {

Values& of(Owner& owner) {
  if (owner.values == nullptr) owner.values = std::make_shared<Values>();
  return *static_cast<Values*>(owner.values.get());
}

}  // namespace

Values& values() {
  Owner& owner = Scheduler::here("values()").owner_for_spawn();
  Values& found = of(owner);
  found.owner_ = &owner;
  return found;
}

Values& root_values() {
  Owner& owner = Scheduler::here("root_values()").root();
  Values& found = of(owner);
  found.owner_ = &owner;
  return found;
}

Values& coroutine_values() {
  Scheduler& scheduler = Scheduler::here("coroutine_values()");
  if (!scheduler.has_current()) {
    throw MisuseError{"coroutine_values() was called outside a coroutine"};
  }
  CoroutineBase& me = scheduler.current();
  static constexpr const char* name = "weft::Values";
  const unsigned key = scheduler.internal_key(name);
  if (void* known = me.internal_value(key)) return *static_cast<Values*>(known);
  auto made = std::make_unique<Values>();
  me.set_internal_value(key, made.get(),
                        [](void* values) noexcept { delete static_cast<Values*>(values); });
  return *made.release();
}

}  // namespace weft
