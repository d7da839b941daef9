#include "bridge/objects.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <elf.h>
#include <exception>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/linux/linux_calls.hpp"
#include "base/real_calls.hpp"

namespace weft::bridge {
namespace {

/// Objects that must not be patched, by the beginning of their file name: what the hooks stand on,
/// and what calls the system for weft.
constexpr std::array never_patched = std::to_array<std::string_view>(
    {"libc.so",     "libc-2",    "ld-linux", "ld-2",      "ld.so",       "linux-vdso", "linux-gate",
     "libuv",       "libresolv", "libnss_",  "libstdc++", "libgcc_s",    "libm.so",    "libpthread",
     "libdl.so",    "librt.so",  "libanl",   "libasan",   "libtsan",     "libubsan",   "liblsan",
     "libclang_rt", "vgpreload", "libc++",   "libunwind", "libtcmalloc", "libjemalloc"});

#if defined(__x86_64__)
constexpr std::array slot_kinds = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64};
constexpr auto absolute_kind = R_X86_64_64;
#elif defined(__aarch64__)
constexpr std::array slot_kinds = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_ABS64};
constexpr auto absolute_kind = R_AARCH64_ABS64;
#else
#error "the bridge knows x86-64 and aarch64"
#endif

std::string_view file_name(std::string_view path) noexcept {
  return path.substr(path.find_last_of('/') + 1);
}

bool is_left_alone(std::string_view path, const Options& options) noexcept {
  const std::string_view name = file_name(path);
  const auto begins = [&](std::string_view with) { return name.starts_with(with); };
  return std::any_of(never_patched.begin(), never_patched.end(), begins) ||
         std::any_of(options.leave_alone.begin(), options.leave_alone.end(), begins);
}

bool is_slot(std::uint64_t kind) noexcept {
  return std::find(slot_kinds.begin(), slot_kinds.end(), static_cast<int>(kind)) !=
         slot_kinds.end();
}

/// A table of an object: relocations, symbols.
template <class Entry>
struct Table {
  const Entry* data = nullptr;
  std::size_t size = 0;
};

/// What PT_DYNAMIC of an object says.
struct Dynamic {
  Table<ElfW(Rela)> calls;
  Table<ElfW(Rela)> others;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
};

template <class Entry>
const Entry* pointer(std::size_t base, ElfW(Addr) address) noexcept {
  if (address < base) address += base;  // the loader has not made it absolute
  return reinterpret_cast<const Entry*>(address);
}

Dynamic read_dynamic(std::size_t base, const ElfW(Dyn) * entry) noexcept {
  Dynamic found;
  bool has_rela = true;
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_JMPREL:
        found.calls.data = pointer<ElfW(Rela)>(base, entry->d_un.d_ptr);
        break;
      case DT_PLTRELSZ:
        found.calls.size = entry->d_un.d_val / sizeof(ElfW(Rela));
        break;
      case DT_PLTREL:
        has_rela = entry->d_un.d_val == DT_RELA;
        break;
      case DT_RELA:
        found.others.data = pointer<ElfW(Rela)>(base, entry->d_un.d_ptr);
        break;
      case DT_RELASZ:
        found.others.size = entry->d_un.d_val / sizeof(ElfW(Rela));
        break;
      case DT_SYMTAB:
        found.symbols = pointer<ElfW(Sym)>(base, entry->d_un.d_ptr);
        break;
      case DT_STRTAB:
        found.names = pointer<char>(base, entry->d_un.d_ptr);
        break;
      default:
        break;
    }
  }
  if (!has_rela || found.calls.data == nullptr) found.calls = {};
  if (found.others.data == nullptr) found.others = {};
  return found;
}

/// weft calls the system through pointers of its own, which stay what they are.
bool is_of_weft(const void* place) noexcept {
  const auto is_inside = [place](const auto& table) {
    return place >= &table && place < &table + 1;
  };
  return is_inside(real_calls) || is_inside(linux_calls);
}

}  // namespace

/// An object as the loader describes it.
struct Objects::Loaded {
  /// Throws std::bad_alloc.
  explicit Loaded(const dl_phdr_info& info) : name{info.dlpi_name}, base{info.dlpi_addr} {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = info.dlpi_phdr[i];
      const std::uintptr_t start = base + part.p_vaddr;
      if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) {
        auto* const first = reinterpret_cast<char*>(start);
        writable.emplace_back(first, first + part.p_memsz);
      }
      if (part.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<ElfW(Dyn)*>(start);
      if (part.p_type == PT_GNU_RELRO) {
        guarded.first = reinterpret_cast<char*>(start & ~(page - 1));
        guarded.second = reinterpret_cast<char*>((start + part.p_memsz) & ~(page - 1));
      }
    }
  }

  std::string name;
  std::size_t base = 0;
  const ElfW(Dyn) * dynamic = nullptr;
  std::pair<char*, char*> guarded = {nullptr, nullptr};
  std::vector<std::pair<char*, char*>> writable;

  /// False while another thread loads it: what becomes read-only in the end can still be written.
  /// The loader has slots to write, and would meet those that the bridge has made read-only again.
  [[nodiscard]] bool is_complete() const noexcept {
    constexpr int populate_write = 23;  // MADV_POPULATE_WRITE; older systems refuse it
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return guarded.first == guarded.second || ::madvise(guarded.first, page, populate_write) != 0;
  }
  /// Whether a slot can be there: an object may have relocations in its code, or at odd addresses,
  /// which cannot be written, or not in one step.
  [[nodiscard]] bool can_hold_slot(const void* place) const noexcept {
    const auto holds = [place](const std::pair<char*, char*>& part) {
      return place >= part.first && place < part.second;
    };
    return reinterpret_cast<std::uintptr_t>(place) % alignof(void*) == 0 &&
           (holds(guarded) || std::any_of(writable.begin(), writable.end(), holds));
  }
};

Objects::Objects(const std::vector<Hook>& hooks) {
  for (const Hook& hook : hooks) by_name_.emplace(hook.name, &hook);
}

template <class Visit>
void Objects::for_each_loaded(Visit visit) {
  struct Walk {
    Visit visit;
    std::exception_ptr error;
  } walk{std::move(visit), nullptr};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t /*size*/, void* data) {
        auto& mine = *static_cast<Walk*>(data);
        try {
          if (const Loaded loaded{*info}; loaded.dynamic != nullptr) mine.visit(loaded);
          return 0;
        } catch (...) {
          mine.error = std::current_exception();
          return 1;
        }
      },
      &walk);
  if (walk.error != nullptr) std::rethrow_exception(walk.error);
}

void Objects::collect(const Loaded& loaded, unsigned families, Object& object) const {
  const Dynamic dynamic = read_dynamic(loaded.base, loaded.dynamic);
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) return;
  for (const Table<ElfW(Rela)>& table : {dynamic.calls, dynamic.others}) {
    for (std::size_t i = 0; i < table.size; ++i) {
      const ElfW(Rela)& entry = table.data[i];
      if (!is_slot(ELF64_R_TYPE(entry.r_info))) continue;
      if (ELF64_R_TYPE(entry.r_info) == absolute_kind && entry.r_addend != 0) continue;
      const ElfW(Sym)& symbol = dynamic.symbols[ELF64_R_SYM(entry.r_info)];
      if (symbol.st_shndx != SHN_UNDEF) continue;  // a function of its own
      // With a value it is a jump of a program at a fixed address, which all take for the function.
      if (symbol.st_value != 0) continue;
      const auto found = by_name_.find(dynamic.names + symbol.st_name);
      if (found == by_name_.end() || *found->second->real == nullptr) continue;
      if (found->second->family != 0 && (found->second->family & families) == 0) continue;
      auto** const place = reinterpret_cast<void**>(loaded.base + entry.r_offset);
      if (!is_of_weft(place) && loaded.can_hold_slot(place))
        object.slots.push_back({place, *place, found->second});
    }
  }
}

bool Objects::write(const Object& object, bool hooked) noexcept {
  char* const first = object.guarded.first;
  const char* const last = object.guarded.second;
  const auto size = static_cast<std::size_t>(last - first);
  const bool is_guarded =
      std::any_of(object.slots.begin(), object.slots.end(), [&](const Slot& slot) {
        const auto* const place = reinterpret_cast<const char*>(slot.place);
        return place >= first && place < last;
      });
  if (is_guarded && ::mprotect(first, size, PROT_READ | PROT_WRITE) != 0) return false;
  for (const Slot& slot : object.slots) {
    std::atomic_ref<void*> place{*slot.place};
    if (hooked) {
      place.store(slot.hook->replacement, std::memory_order_release);
    } else if (place.load(std::memory_order_relaxed) == slot.hook->replacement) {
      place.store(slot.before, std::memory_order_release);  // unless it was patched again
    }
  }
  if (is_guarded) ::mprotect(first, size, PROT_READ);
  return true;
}

bool Objects::is_same(const Object& object, const Loaded& loaded) noexcept {
  return object.base == loaded.base && object.name == loaded.name &&
         object.dynamic == loaded.dynamic && object.guarded == loaded.guarded;
}

/// An object that was unloaded unseen, and loaded again at the same address, has slots without
/// hooks.
bool Objects::was_loaded_again(const Object& object) noexcept {
  return !object.slots.empty() &&
         std::none_of(object.slots.begin(), object.slots.end(), [](const Slot& slot) {
           const std::atomic_ref<void*> place{*slot.place};
           return place.load(std::memory_order_relaxed) == slot.hook->replacement;
         });
}

Objects::Object* Objects::find(const Loaded& loaded) noexcept {
  const auto found = std::find_if(objects_.begin(), objects_.end(),
                                  [&](const Object& object) { return is_same(object, loaded); });
  return found != objects_.end() ? &*found : nullptr;
}

std::size_t Objects::patch(const Options& options, unsigned families) {
  for (Object& object : objects_) object.is_loaded = false;
  std::size_t written = 0;
  for_each_loaded([&](const Loaded& loaded) {
    if (Object* const known = find(loaded); known != nullptr && !was_loaded_again(*known)) {
      known->is_loaded = true;
      return;
    }
    const bool is_program = loaded.name.empty();
    if (is_program ? !options.program : is_left_alone(loaded.name, options)) return;
    if (!loaded.is_complete()) return;  // the hook of its dlopen() comes here again
    Object object{loaded.name, loaded.base, loaded.dynamic, loaded.guarded, {}};
    collect(loaded, families, object);
    objects_.push_back(std::move(object));
    Object& kept = objects_.back();
    if (!write(kept, true)) kept.slots.clear();
    written += kept.slots.size();
  });
  std::erase_if(objects_, [](const Object& object) { return !object.is_loaded; });
  return written;
}

void Objects::restore() noexcept {
  try {
    for_each_loaded([&](const Loaded& loaded) {
      const Object* const known = find(loaded);
      if (known != nullptr) static_cast<void>(write(*known, false));
    });
    objects_.clear();
  } catch (...) {  // no memory to look what is loaded: the hooks stay, and do nothing wrong
  }
}

Report Objects::report() const {
  Report report;
  for (const Object& object : objects_) {
    if (object.slots.empty()) continue;
    Report::Object entry{object.name.empty() ? "the program" : object.name, {}};
    for (const Slot& slot : object.slots) entry.calls.emplace_back(slot.hook->name);
    report.objects.push_back(std::move(entry));
  }
  return report;
}

}  // namespace weft::bridge
