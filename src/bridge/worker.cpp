#include "bridge/worker.hpp"

#include <cerrno>
#include <exception>
#include <string>

#include <uv.h>

#include "base/current.hpp"
#include "bridge/host.hpp"
#include "reactor/reactor.hpp"
#include "weft/extend/park.hpp"
#include "weft/extend/waker.hpp"

namespace weft::bridge {
namespace {

class WorkerWait;

/// Held by the loop until the worker is done.
struct Request {
  uv_work_t native{};
  std::shared_ptr<Work> work;
  WorkerWait* waiting = nullptr;  // null: the coroutine does not wait any more
};

class WorkerWait final : public DirectWait {
 public:
  WorkerWait(const char* function, Reactor& reactor) noexcept
      : function_{function}, reactor_{reactor} {}
  ~WorkerWait() override { leave(); }

  void begin(Request& request) noexcept {
    request_ = &request;
    request.waiting = this;
    reactor_.hold_time();
    reactor_.add_active_wait();
  }
  void done() noexcept {
    leave();
    reactor_.delivered();
    is_done_ = true;
    if (waker() != nullptr) waker()->complete();
  }
  [[nodiscard]] Ended park(Place place) noexcept {
    std::exception_ptr error;
    Woken woken = Woken::event;
    while (!is_done_ && woken == Woken::event) {  // resume() by other code does not end it
      Waker& waker = current_thread.scheduler->current().waker().renew();
      waker.resume_when(*this);
      woken = weft::park(waker, error, place);
      forget_waker();
    }
    if (is_done_) return Ended::ready;
    errno = ENOMEM;
    return woken == Woken::cancelled ? Ended::cancelled : Ended::failed;
  }
  [[nodiscard]] std::string describe() const override {
    return std::string{function_} + "() on a worker thread";
  }

 private:
  void on_wait_ended() noexcept override { leave(); }
  void leave() noexcept {
    if (request_ == nullptr) return;
    std::exchange(request_, nullptr)->waiting = nullptr;
    reactor_.remove_active_wait();
    reactor_.release_time();
  }

  const char* function_;
  Reactor& reactor_;
  Request* request_ = nullptr;
  bool is_done_ = false;
};

}  // namespace

Ended run_on_worker(const char* function, std::shared_ptr<Work> work) noexcept {
  try {
    Reactor& reactor = *current_thread.reactor;
    uv_loop_t& loop = reactor.loop();
    auto request = std::make_unique<Request>();
    request->native.data = request.get();
    request->work = std::move(work);
    const int status = uv_queue_work(
        &loop, &request->native,
        [](uv_work_t* native) { static_cast<Request*>(native->data)->work->run(); },
        [](uv_work_t* native, int /*status*/) {
          const std::unique_ptr<Request> over{static_cast<Request*>(native->data)};
          if (over->waiting != nullptr) over->waiting->done();
        });
    if (status != 0) {
      errno = -status;
      return Ended::failed;
    }
    WorkerWait wait{function, reactor};
    wait.begin(*request.release());
    return leave_stack(ThreadState::here(), function,
                       [&](Place place) { return wait.park(place); });
  } catch (...) {
    errno = ENOMEM;
    return Ended::failed;
  }
}

}  // namespace weft::bridge
