#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

namespace weft::detail {

/// A body and its arguments, kept until it runs.
template <class F, class... Args>
class BoundBody {
 public:
  template <class G, class... Given>
  explicit BoundBody(std::in_place_t, G&& body, Given&&... args)
      : body_{std::forward<G>(body)}, args_{std::forward<Given>(args)...} {}
  decltype(auto) operator()() && { return std::apply(std::move(body_), std::move(args_)); }

 private:
  F body_;
  std::tuple<Args...> args_;
};

template <class F, class... Args>
auto bind_body(F&& body, Args&&... args) {
  return BoundBody<std::decay_t<F>, std::decay_t<Args>...>{std::in_place, std::forward<F>(body),
                                                           std::forward<Args>(args)...};
}

}  // namespace weft::detail
