#include "scheduler/error_chain.hpp"

#include <algorithm>

#include "base/current.hpp"
#include "base/probe.hpp"
#include "scheduler/thread_memory.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

// More would be searched in vain, and keep alive what nobody asks for any more.
constexpr std::size_t most_links = 256;

/// Makes room for one more: the oldest goes, but not those of the error that ends the program.
void drop_oldest(std::deque<ErrorLink>& links) {
  const auto oldest = std::find_if(links.begin(), links.end(),
                                   [](const ErrorLink& link) { return !link.of_exit_error; });
  links.erase(oldest != links.end() ? oldest : links.begin());
}

}  // namespace

void link_errors(const std::exception_ptr& error, std::exception_ptr met,
                 bool of_exit_error) noexcept {
  if (error == nullptr || met == nullptr) return;
  // Chains do not meet themselves: several coroutines may fail with one and the same error.
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
  } catch (...) {  // no memory: the link is only for people
  }
}

/// weft's own errors carry the one they met; for foreign ones the thread remembers it.
std::exception_ptr previous(const std::exception_ptr& error) noexcept {
  WEFT_PROBE("a link of a chain of errors was followed");
  if (error == nullptr) return nullptr;
  try {
    std::rethrow_exception(error);
  } catch (const Error& own) {
    if (own.previous() != nullptr) return own.previous();
  } catch (const Cancelled& cancelled) {
    if (cancelled.previous() != nullptr) return cancelled.previous();
  } catch (...) {  // a foreign error: see below
  }
  if (current_thread.memory == nullptr) return nullptr;
  for (const ErrorLink& link : current_thread.memory->error_links) {
    if (link.later == error) return link.earlier;
  }
  return nullptr;
}

}  // namespace weft
