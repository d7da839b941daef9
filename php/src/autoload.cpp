#include "autoload.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "boundary.hpp"
#include "place.hpp"

// The engine takes a class that is needed again while it is being loaded for a recursion, and says
// that there is none. Among coroutines the loader may only be suspended.
namespace weft_php {
namespace {

struct Loading {
  const CoroutineRecord* by;
  weft::WaitGroup end;
};
std::map<std::string, std::shared_ptr<Loading>, std::less<>> loadings;
decltype(zend_autoload) load_class = nullptr;

zend_class_entry* loaded(zend_string* key) {
  return static_cast<zend_class_entry*>(zend_hash_find_ptr(EG(class_table), key));
}

/// Suspends until the other coroutine has loaded the class, or has not.
zend_class_entry* wait_for(std::shared_ptr<Loading> loading, zend_string* key) {
  const weft::Place place = place_here();
  const bool waited = wait_in_runtime([&] { loading->end.wait({}, place); });
  return waited ? loaded(key) : nullptr;
}

void loading_has_ended(zend_string* key) {
  const auto found = loadings.find(std::string_view{ZSTR_VAL(key), ZSTR_LEN(key)});
  found->second->end.done();
  loadings.erase(found);
}

zend_class_entry* load_or_wait(zend_string* name, zend_string* key) {
  if (request == nullptr) return load_class(name, key);
  // The engine's own mark is one for all coroutines.
  zend_hash_del(EG(in_autoload), key);
  auto [entry, is_new] = loadings.try_emplace(std::string{ZSTR_VAL(key), ZSTR_LEN(key)});
  if (!is_new) {
    return entry->second->by == request->current ? nullptr : wait_for(entry->second, key);
  }
  entry->second = std::make_shared<Loading>();
  entry->second->by = request->current;
  entry->second->end.add(1);
  zend_class_entry* volatile found = nullptr;
  zend_try { found = load_class(name, key); }
  zend_catch {
    loading_has_ended(key);
    zend_bailout();
  }
  zend_end_try();
  loading_has_ended(key);
  return found;
}

}  // namespace

void forget_autoloaders() noexcept { loadings.clear(); }

void wait_for_autoloaders() { load_class = std::exchange(zend_autoload, load_or_wait); }

}  // namespace weft_php
