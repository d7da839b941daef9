#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/detail/intrusive_list.hpp"
#include "weft/detail/unwritten_parts.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/loop_event.hpp"
#include "weft/file_status.hpp"
#include "weft/time.hpp"

namespace weft {

/// One operation of an Io handle, from its issue to its completion. It owns the memory that it
/// reads into or writes from. Dropping the last reference in flight is legal: the operation is
/// cancelled if that is possible, its memory is freed when the system is done with it, and no
/// callback is notified.
///
/// Check is_completed() before waiting: some requests are completed when they are returned.
/// Awaiting a failed one throws its error.
class IoRequest final : public LoopEvent {
 public:
  /// Whether the request has ended, with success or an error.
  [[nodiscard]] bool is_completed() const noexcept { return is_closed(); }
  /// How many bytes were transferred; 0 for a read at the end, -1 after an error.
  [[nodiscard]] std::int64_t transferred() const noexcept { return transferred_; }
  /// The error that the request ended with; null for none.
  [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }
  /// The bytes of a read.
  [[nodiscard]] std::string_view data() const noexcept;
  /// Whether the request ended because its handle was closed.
  [[nodiscard]] bool is_io_closed() const noexcept { return io_closed_; }
  /// The result of Io::stat().
  [[nodiscard]] const FileStatus& status() const noexcept { return status_; }
  /// The handle; for Io::open() the new one.
  [[nodiscard]] Ref<Io> io() const noexcept { return io_; }

  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override;
  /// "write to TCP 127.0.0.1:80".
  [[nodiscard]] std::string describe() const override;
  ~IoRequest() override;

 private:
  friend class Io;
  friend class detail::ListAccess;
  friend class Reactor;
  struct Native;
  enum class Kind : std::uint8_t { read, multishot, write, forget, flush, stat, transfer, open };
  class DescriptorWait;

  /// Queues for the stream lock of the request; the request goes on when the lock is granted.
  class QueuedWaiter final : public Waiter {
   public:
    explicit QueuedWaiter(IoRequest& request) noexcept : Waiter{"Stream lock"}, request_{request} {}

   private:
    void notify_others(const std::exception_ptr& error) noexcept override;
    IoRequest& request_;
  };

  IoRequest(Ref<Io> io, Kind kind) noexcept;
  static Ref<IoRequest> make(Io* io, Kind kind);

  // Starting and stopping only count: the operation goes on by itself. A multishot read goes on
  // only while a coroutine waits, so that no chunk is lost.
  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void dispose() noexcept override;

  void begin();
  void mark_locked() noexcept;
  void descriptor_is_ready() noexcept;
  void on_lock_granted() noexcept;
  void go_on() noexcept;
  void try_go_on();
  void read_chunk();
  void write_on();
  void wait_for(Io& io, unsigned way);
  void submit();
  void move_piece() noexcept;
  void back_from_worker() noexcept;
  void take_result(std::int64_t result);
  void complete(std::int64_t transferred, std::exception_ptr error) noexcept;
  void fail(int error) noexcept;
  void on_io_closed(const std::exception_ptr& error) noexcept;
  void stop_waiting() noexcept;
  void hand_back() noexcept;
  void detach_caller(detail::StreamLockGuard& guard) noexcept;
  void give_memory_back() noexcept;
  void leave_list() noexcept;
  [[nodiscard]] Io& locked_io() const noexcept { return target_ ? *target_ : *io_; }
  [[nodiscard]] detail::StreamLock& stream_lock() const noexcept;
  [[nodiscard]] const char* operation_name() const noexcept;
  [[nodiscard]] std::string object() const;

  Ref<Io> io_;
  Ref<Io> target_;  // of a transfer
  Kind kind_;
  bool io_closed_ = false;
  bool has_lock_ = false;
  bool at_worker_ = false;
  bool for_caller_ = false;    // made by a call that owns the lock and the buffered bytes
  bool holds_source_ = false;  // the file of a transfer stays open until the end
  bool abandoned_ = false;     // the last reference is gone, but a worker uses the request
  std::int64_t transferred_ = 0;
  std::exception_ptr error_;
  std::vector<std::string> parts_;
  std::vector<ConstBytes> memory_;  // the parts to write
  detail::UnwrittenParts rest_;     // the part of memory_ that is not written yet
  std::size_t size_ = 0;            // bytes to read or transfer
  std::int64_t offset_ = -1;
  int flags_ = 0;
  unsigned mode_ = 0;
  Function<void()> done_;
  Reactor* background_op_of_ = nullptr;  // counts it while `done_` may wake a coroutine
  FileStatus status_;
  std::unique_ptr<QueuedWaiter> lock_wait_;
  std::unique_ptr<DescriptorWait> wait_;
  std::unique_ptr<Native> native_;
  detail::ListLinks<IoRequest> list_links_;  // in the requests of locked_io()
};

}  // namespace weft
