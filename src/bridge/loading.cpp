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

}  // namespace

void add_loading(Hooks& hooks) { hooks.push_back(hook("dlopen", &hooked_dlopen, real.dlopen, 0)); }

}  // namespace weft::bridge
