#include "autoload.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "boundary.hpp"
#include "place.hpp"

// The engine reports a class as missing if it is requested while its autoloader runs, taking that
// for recursion. Among coroutines that autoloader may just be suspended.
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

/// Suspends until the autoloader of the other coroutine has returned. Null if the class is still
/// missing, or with an exception.
zend_class_entry* wait_for(const std::shared_ptr<Loading>& loading, zend_string* key) {
  const weft::Place place = place_here();
  const bool waited = wait_in_runtime([&] {
    const std::shared_ptr<Loading> kept = loading;  // its end takes it out of the map
    kept->end.wait({}, place);
  });
  return waited ? loaded(key) : nullptr;
}

void loading_has_ended(zend_string* key) {
  const auto found = loadings.find(std::string_view{ZSTR_VAL(key), ZSTR_LEN(key)});
  found->second->end.done();
  loadings.erase(found);
}

zend_class_entry* load_or_wait(zend_string* name, zend_string* key) {
  if (request == nullptr) return load_class(name, key);
  // The engine's own mark of a class that is being loaded would stop the other coroutines.
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
