#include <chrono>
#include <optional>
#include <string>
#include <system_error>

#include "boundary.hpp"
#include "classes.hpp"
#include "place.hpp"
#include "value_iterator.hpp"
#include "weft/extend/fs_watch.hpp"
#include "weft/file_watcher.hpp"

namespace weft_php {
namespace {

/// Async\FileSystemWatcher.
class WatcherObject final : public Object {
 public:
  WatcherObject() noexcept = default;
  ~WatcherObject() override = default;

  void begin(std::string path, weft::FileWatcherOptions options) {
    event_ = weft::make_ref<weft::FileWatchEvent>(path, options.recursive);
    watcher_.emplace(std::move(path), std::move(options));
  }
  [[nodiscard]] weft::FileWatcher* watcher() noexcept { return watcher_ ? &*watcher_ : nullptr; }
  /// A wait for the object ends with the next change, which is then still there to be read.
  [[nodiscard]] weft::Event* event() override { return event_.get(); }
  void close() noexcept {
    watcher_->close();
    event_->close();
  }
  void last_reference_went() override { watcher_.reset(); }

 private:
  std::optional<weft::FileWatcher> watcher_;
  weft::Ref<weft::FileWatchEvent> event_;
};

/// Async\FileSystemEvent has properties only.
class FileSystemEventObject final : public Object {};

/// Null, with an exception, if the constructor has not run or the request is over.
WatcherObject* self_of(zval* self) {
  auto& object = static_cast<WatcherObject&>(Object::of(self));
  if (object.watcher() != nullptr && request != nullptr) return &object;
  zend_throw_error(nullptr, "Async\\FileSystemWatcher is not constructed");
  return nullptr;
}

void make_event(const std::string& path, const weft::FileChange& change, zval* result) {
  zend_class_entry* const ce = ce_Async_FileSystemEvent;
  object_init_ex(result, ce);
  zend_object* const object = Z_OBJ_P(result);
  zend_update_property_stringl(ce, object, ZEND_STRL("path"), path.data(), path.size());
  if (change.name.empty()) {
    zend_update_property_null(ce, object, ZEND_STRL("filename"));
  } else {
    zend_update_property_stringl(ce, object, ZEND_STRL("filename"), change.name.data(),
                                 change.name.size());
  }
  zend_update_property_bool(ce, object, ZEND_STRL("renamed"), change.renamed);
  zend_update_property_bool(ce, object, ZEND_STRL("changed"), change.changed);
}

struct Changes {
  static constexpr const char* by_reference = "Cannot iterate FileSystemWatcher by reference";
  static constexpr bool null_keys = false;
  static void next(zval* object, zval* target) {
    WatcherObject* const self = self_of(object);
    if (self == nullptr) return;
    const weft::Place place = place_here();
    (void)wait_in_runtime([&] {
      const std::optional<weft::FileChange> change = self->watcher()->next({}, place);
      if (!change) return;
      in_engine([&] { make_event(self->watcher()->path(), *change, target); });
    });
  }
};

/// The arguments of the constructor, with their defaults.
struct Arguments {
  zend_string* path = nullptr;
  bool recursive = false;
  bool coalesce = true;
  zend_long debounce = 0;  // milliseconds
  zend_long max_hold = 0;
  HashTable* extensions = nullptr;
};

bool expect_times(const Arguments& given) {
  if (given.debounce < 0) {
    zend_argument_value_error(4, "must be greater than or equal to 0");
  } else if (given.max_hold < 0) {
    zend_argument_value_error(5, "must be greater than or equal to 0");
  }
  return EG(exception) == nullptr;
}

/// Names of extensions, with or without their dot. Throws in PHP for other values.
void read_extensions(HashTable* given, std::vector<std::string>& extensions) {
  zval* one = nullptr;
  ZEND_HASH_FOREACH_VAL(given, one) {
    ZVAL_DEREF(one);
    if (Z_TYPE_P(one) != IS_STRING) {
      zend_argument_type_error(6, "must be an array of strings, %s given",
                               zend_zval_type_name(one));
      return;
    }
    const std::string name{Z_STRVAL_P(one), Z_STRLEN_P(one)};
    extensions.push_back(name.starts_with('.') ? name : "." + name);
  }
  ZEND_HASH_FOREACH_END();
}

/// Begins to watch what `given` says. In the runtime.
void watch(WatcherObject& self, const Arguments& given) {
  weft::FileWatcherOptions options{.recursive = given.recursive, .raw = !given.coalesce};
  options.debounce = weft::TimeSpan{std::chrono::milliseconds{given.debounce}};
  if (given.debounce > 0) {
    options.max_hold = weft::TimeSpan{std::chrono::milliseconds{given.max_hold}};
  }
  if (given.extensions != nullptr) {
    in_engine([&] { read_extensions(given.extensions, options.extensions); });
  }
  try {
    self.begin(ZSTR_VAL(given.path), std::move(options));
  } catch (const std::system_error& error) {
    const std::string text = std::string{"Input output error: "} + error.what();
    in_engine([&] { throw_in_php(make_exception(ce_Async_InputOutputException, text.c_str())); });
  }
}

}  // namespace

void set_up_watcher() {
  ce_Async_FileSystemWatcher->create_object = ObjectKind<WatcherObject>::create;
  ce_Async_FileSystemWatcher->get_iterator = ValueIterator<Changes>::make;
  ce_Async_FileSystemEvent->create_object = ObjectKind<FileSystemEventObject>::create;
}

}  // namespace weft_php

using namespace weft_php;

ZEND_METHOD(Async_FileSystemWatcher, __construct) {
  Arguments given;
  ZEND_PARSE_PARAMETERS_START(1, 6)
  Z_PARAM_PATH_STR(given.path)
  Z_PARAM_OPTIONAL
  Z_PARAM_BOOL(given.recursive)
  Z_PARAM_BOOL(given.coalesce)
  Z_PARAM_LONG(given.debounce)
  Z_PARAM_LONG(given.max_hold)
  Z_PARAM_ARRAY_HT(given.extensions)
  ZEND_PARSE_PARAMETERS_END();
  if (!expect_times(given) || !start()) RETURN_THROWS();
  auto& self = static_cast<WatcherObject&>(Object::of(ZEND_THIS));
  if (self.watcher() != nullptr) {
    zend_throw_error(nullptr, "Async\\FileSystemWatcher is constructed already");
    RETURN_THROWS();
  }
  (void)in_runtime([&] { watch(self, given); });
}

ZEND_METHOD(Async_FileSystemWatcher, close) {
  ZEND_PARSE_PARAMETERS_NONE();
  WatcherObject* const self = self_of(ZEND_THIS);
  if (self != nullptr) (void)in_runtime([&] { self->close(); });
}

ZEND_METHOD(Async_FileSystemWatcher, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  WatcherObject* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->watcher()->is_closed());
}

ZEND_METHOD(Async_FileSystemWatcher, getIterator) {
  ZEND_PARSE_PARAMETERS_NONE();
  zend_create_internal_iterator_zval(return_value, ZEND_THIS);
}
