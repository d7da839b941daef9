#pragma once

#include <string>

namespace demo {

/// The page that shows what the runtime does right now, and reloads itself every second.
std::string page();

}  // namespace demo
