#include "deadlock_report.hpp"

#include "engine.hpp"

namespace weft_php {

std::string deadlock_report() {
  std::string list;
  std::size_t count = 0;
  weft::for_each_coroutine([&](weft::CoroutineBase& coroutine) {
    ++count;
    list += coroutine.info() + "\n";
    const std::vector<std::string> events = coroutine.waker().awaiting_info();
    list += events.empty() ? "  waiting for: <nothing>\n" : "  waiting for:\n";
    for (const std::string& event : events) {
      list += "    - " + (event.empty() ? "<unknown event>" : event) + "\n";
    }
    list += "\n";
  });
  return "\n=== DEADLOCK REPORT START ===\nCoroutines waiting: " + std::to_string(count) +
         ", active_events: 0\n\n" + list + "=== DEADLOCK REPORT END   ===\n\n";
}

}  // namespace weft_php
