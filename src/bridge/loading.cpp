#include <dlfcn.h>

#include "bridge/hooks.hpp"
#include "weft/bridge.hpp"

namespace weft::bridge {
namespace {

void* hooked_dlopen(const char* name, int mode) {
  void* const loaded = real.dlopen(name, mode);
  if (loaded == nullptr || !is_installed()) return loaded;
  try {
    rescan();
  } catch (...) {  // no memory for the report: the new object stays as it is
  }
  return loaded;
}

/// Forgets what was unloaded: the next object may lie at the same address, even one of that name.
int hooked_dlclose(void* loaded) {
  const int result = real.dlclose(loaded);
  if (result != 0 || !is_installed()) return result;
  try {
    rescan();
  } catch (...) {  // no memory to look what is loaded
  }
  return result;
}

}  // namespace

void add_loading(Hooks& hooks) {
  hooks.push_back(hook("dlopen", &hooked_dlopen, real.dlopen, 0));
  hooks.push_back(hook("dlclose", &hooked_dlclose, real.dlclose, 0));
}

}  // namespace weft::bridge
