#pragma once

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bridge/wait.hpp"
#include "bridge/worker.hpp"

// Lookups run on a worker thread, into memory of their own: callers may pass the same buffer from
// several coroutines, and a cancelled one does not wait for the end of its lookup.
namespace weft::bridge {

using Text = std::optional<std::string>;

inline Text copy_of(const char* text) { return text != nullptr ? Text{text} : Text{}; }
inline const char* raw(const Text& text) noexcept { return text ? text->c_str() : nullptr; }

/// Runs `body(data)` on a worker with a Data of its own. Null: errno says why not.
template <class Data, class F>
std::shared_ptr<Data> look_up(const char* function, std::shared_ptr<Data> data, F body) {
  auto work = [data, body] { body(*data); };
  const Ended ended = run_on_worker(function, std::make_shared<WorkOf<decltype(work)>>(work));
  if (ended == Ended::ready) return data;
  errno = errno_of(ended, 0);
  return nullptr;
}

}  // namespace weft::bridge
