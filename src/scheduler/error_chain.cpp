#include "scheduler/error_chain.hpp"

#include <algorithm>

#include "base/current.hpp"
#include "base/probe.hpp"
#include "scheduler/thread_memory.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

// A longer list would be slow to search, and keep errors alive that no code asks for any more.
constexpr std::size_t most_links = 256;

/// Removes the oldest link, but none of the error that ends the program.
void drop_oldest(std::deque<ErrorLink>& links) {
  const auto oldest = std::find_if(links.begin(), links.end(),
                                   [](const ErrorLink& link) { return !link.of_exit_error; });
  links.erase(oldest != links.end() ? oldest : links.begin());
}

}  // namespace

void link_errors(const std::exception_ptr& error, std::exception_ptr met,
                 bool of_exit_error) noexcept {
  if (error == nullptr || met == nullptr) return;
  // Several coroutines may fail with the same error: a link must not make a cycle.
  for (std::exception_ptr other = met; other != nullptr; other = previous(other)) {
    if (other == error) return;
  }
  std::exception_ptr end = error;
  for (std::exception_ptr next = error; next != nullptr; next = previous(next)) {
    if (next == met) return;
    end = next;
  }
  try {
    auto& links = ThreadMemory::of_thread().error_links;
    if (links.size() >= most_links) drop_oldest(links);
    links.push_back({std::move(end), std::move(met), of_exit_error});
  } catch (...) {  // without memory there is no link, which is only shown in reports
  }
}

/// weft's own errors carry their previous error; for foreign ones ThreadMemory has links.
std::exception_ptr previous(const std::exception_ptr& error) noexcept {
  WEFT_PROBE("a link of a chain of errors was followed");
  if (error == nullptr) return nullptr;
  try {
    std::rethrow_exception(error);
  } catch (const Error& own) {
    if (own.previous() != nullptr) return own.previous();
  } catch (const Cancelled& cancelled) {
    if (cancelled.previous() != nullptr) return cancelled.previous();
  } catch (...) {  // a foreign error: see the links below
  }
  if (current_thread.memory == nullptr) return nullptr;
  for (const ErrorLink& link : current_thread.memory->error_links) {
    if (link.later == error) return link.earlier;
  }
  return nullptr;
}

}  // namespace weft
