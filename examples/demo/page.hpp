#pragma once

#include <string>

namespace demo {

/// The page that shows what the runtime does right now, and asks for itself again every second.
std::string page();

}  // namespace demo
