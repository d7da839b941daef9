#pragma once

#include <cstddef>

#include "weft/stats.hpp"

namespace weft {

/// The kinds of stack guards. The best that the system allows is found on first use: markers (no
/// extra mapping), then protected pages up to the mapping limit, then none if the user agreed.
class Guards {
 public:
  static constexpr std::size_t width = std::size_t{64} * 1024;

  explicit Guards(bool unguarded_allowed) noexcept : unguarded_allowed_{unguarded_allowed} {}

  /// Guards `width` bytes at `low`. Throws StackError when the system refuses and the user did not
  /// agree to unguarded stacks.
  GuardKind install(void* low);
  [[nodiscard]] bool unguarded_allowed() const noexcept { return unguarded_allowed_; }
  /// The kind in use.
  [[nodiscard]] GuardKind kind() const noexcept { return kind_; }
  /// For tests: starts with a kind further down.
  void start_at(GuardKind kind) noexcept { kind_ = kind; }
  /// For tests: allows only `more` further guards of protected pages.
  void limit_pages(std::size_t more) noexcept { page_limit_ = pages_ + more; }

 private:
  GuardKind install_page(void* low);
  GuardKind disable_guards(const char* why);

  GuardKind kind_ = GuardKind::markers;
  bool unguarded_allowed_;
  std::size_t pages_ = 0;       // guards made by mprotect
  std::size_t page_limit_ = 0;  // read when first needed
};

}  // namespace weft
