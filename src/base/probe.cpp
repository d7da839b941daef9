#include "base/probe.hpp"

namespace weft {
namespace {
constinit std::atomic<Probe*> first_probe{nullptr};
}

void Probe::hit(std::uint64_t times) noexcept {
  if (times == 0) return;  // an unhit probe must not be linked: its next hit would link it twice
  if (hits_.fetch_add(times, std::memory_order_relaxed) != 0) return;
  next_ = first_probe.load(std::memory_order_relaxed);
  while (!first_probe.compare_exchange_weak(next_, this, std::memory_order_release)) {
  }
}

std::uint64_t Probe::count(std::string_view name) noexcept {
  std::uint64_t total = 0;
  for (Probe* probe = first_probe.load(std::memory_order_acquire); probe != nullptr;
       probe = probe->next_) {
    if (name == probe->name_) total += probe->hits_.load(std::memory_order_relaxed);
  }
  return total;
}

std::vector<Probe::Count> Probe::counts() {
  std::vector<Count> all;
  for (Probe* probe = first_probe.load(std::memory_order_acquire); probe != nullptr;
       probe = probe->next_) {
    all.push_back({probe, probe->hits_.load(std::memory_order_relaxed)});
  }
  return all;
}

}  // namespace weft
