// A host: a tiny interpreter whose scripts are coroutines. Its objects are counted by itself, and
// no C++ exception may pass through its frames.
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include <weft/extend/host.hpp>
#include <weft/weft.hpp>

namespace {

using namespace std::chrono_literals;

class Script;

/// Destroys scripts where code of the language may run.
class Interpreter {
 public:
  void bury(Script& script) noexcept;
  void sweep() noexcept;

 private:
  Script* dead_ = nullptr;
};

class Script final : public weft::HostCoroutine {
 public:
  using Code = std::function<void(Script&)>;
  Script(Interpreter& interpreter, Code code) : interpreter_{interpreter}, code_{std::move(code)} {}
  ~Script() override = default;

  bool await(weft::Event& event) noexcept;
  void drop() noexcept {
    if (--references_ == 0) interpreter_.bury(*this);
  }

 private:
  friend class Interpreter;
  void run_body() noexcept override {
    code_(*this);
    if (pending_ != nullptr) fail(std::exchange(pending_, nullptr));
    interpreter_.sweep();
  }
  [[nodiscard]] bool is_held_by_host() const noexcept override { return references_ > lent_; }
  void host_retain() noexcept override {
    ++references_;
    ++lent_;
  }
  void host_release() noexcept override {
    --lent_;
    drop();
  }
  [[nodiscard]] void* host_object() const noexcept override {
    return const_cast<Script*>(this);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }

  Interpreter& interpreter_;
  Code code_;
  std::exception_ptr pending_;  // the error that the script is ending with
  std::size_t references_ = 1;
  std::size_t lent_ = 0;  // of these, to the runtime
  Script* next_dead_ = nullptr;
};

/// What the interpreter calls for every wait. No exception leaves it.
bool Script::await(weft::Event& event) noexcept {
  std::exception_ptr error;
  switch (weft::park(event, error)) {
    case weft::Woken::event:
    case weft::Woken::failed:
      pending_ = error;  // of the awaited, or of the wait itself
      break;
    case weft::Woken::cancelled:
      pending_ = weft::take_cancellation().error;
      if (pending_ == nullptr) pending_ = std::make_exception_ptr(weft::Cancelled{});
      break;
    case weft::Woken::refused:
      pending_ = std::make_exception_ptr(weft::MisuseError{"a script cannot wait here"});
      break;
  }
  return pending_ == nullptr;
}

void Interpreter::bury(Script& script) noexcept {
  script.next_dead_ = std::exchange(dead_, &script);
}

void Interpreter::sweep() noexcept {
  while (Script* const script = dead_) {
    dead_ = script->next_dead_;
    script->dropped_unread();  // which may take a reference once more
    if (script->references_ == 0) delete script;
  }
}

/// A reference that C++ holds.
struct Drop {
  void operator()(Script* script) const noexcept { script->drop(); }
};
using Handle = std::unique_ptr<Script, Drop>;

/// What the language sends with a cancellation.
class OutOfBudget : public weft::Cancelled {
 public:
  OutOfBudget() : Cancelled{"out of budget"} {}
};

}  // namespace

int main() {
  Interpreter interpreter;
  weft::run([&] {
    const Handle quick{new Script{interpreter, [](Script& self) {
                                    weft::Timer timer{10ms};
                                    if (self.await(timer)) std::cout << "quick: done\n";
                                  }}};
    const Handle slow{new Script{interpreter, [](Script& self) {
                                   weft::Timer timer{1h};
                                   if (!self.await(timer)) std::cout << "slow: told to end\n";
                                 }}};
    const auto scope = weft::Scope::create();  // when it goes, so do they
    quick->enter(scope.get());
    slow->enter(scope.get());
    weft::await(static_cast<weft::Event&>(*quick));
    slow->cancel(std::make_exception_ptr(OutOfBudget{}));
    try {
      weft::await(static_cast<weft::Event&>(*slow));
    } catch (const OutOfBudget& error) {
      std::cout << "slow: " << error.reason() << '\n';
    }
  });
  interpreter.sweep();  // those whose last reference went in the middle of a switch
}

// Prints:
//   quick: done
//   slow: told to end
//   slow: out of budget
