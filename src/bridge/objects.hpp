#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bridge/real.hpp"
#include "weft/bridge.hpp"

namespace weft::bridge {

/// The slots of loaded objects through which they call functions of other objects, and what was
/// written there.
class Objects {
 public:
  /// Throws std::bad_alloc.
  explicit Objects(const std::vector<Hook>& hooks);

  /// Writes hooks of `families` into the slots of all objects that are loaded and not patched yet.
  /// Returns how many slots it wrote. Throws std::bad_alloc.
  std::size_t patch(const Options& options, unsigned families);
  /// Puts back what was there, in objects that are still loaded.
  void restore() noexcept;
  [[nodiscard]] Report report() const;

 private:
  struct Slot {
    void** place;
    void* before;
    const Hook* hook;
  };
  struct Object {
    std::string name;
    std::size_t base;
    const void* dynamic;              // what the loader reads
    std::pair<char*, char*> guarded;  // the part that is read-only once it is relocated
    std::vector<Slot> slots;
    bool is_loaded = true;  // found by the last patch()
  };
  struct Loaded;
  static bool is_same(const Object& object, const Loaded& loaded) noexcept;
  static bool was_loaded_again(const Object& object) noexcept;
  /// Calls `visit(loaded)` for each object while no other thread can unload one, or load another.
  /// `visit` must not call the loader. Throws what it throws.
  template <class Visit>
  static void for_each_loaded(Visit visit);
  [[nodiscard]] Object* find(const Loaded& loaded) noexcept;
  void collect(const Loaded& loaded, unsigned families, Object& object) const;
  /// False if the system does not let it write.
  [[nodiscard]] static bool write(const Object& object, bool hooked) noexcept;

  std::unordered_map<std::string_view, const Hook*> by_name_;
  std::vector<Object> objects_;
};

}  // namespace weft::bridge
