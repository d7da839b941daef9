#include <string>
#include <unistd.h>
#include <utility>

#include "base/current.hpp"
#include "base/real_calls.hpp"
#include "io/io_error.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/reactor.hpp"
#include "weft/error.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/io_request.hpp"

// The end of a handle: closed, or given away.
namespace weft {

void Io::close() noexcept {
  if ((state_ & closed) != 0) return;
  state_ |= closed;
  descriptor_ = -1;
  const Ref<Io> keep{references() > 0 ? this : nullptr};
  // Polls may wait for the same descriptor. They leave the loop too: the number may soon belong to
  // another file.
  if (Reactor* const reactor = current_thread.reactor; owned_ && reactor != nullptr) {
    if (Descriptor* const known = reactor->descriptors().find(native_)) {
      watched_ = Ref<Descriptor>{known};
    }
  }
  const bool has_waiters = (watched_ && watched_->is_awaited()) || reading_.is_locked() ||
                           writing_.is_locked() || !requests_.empty() || subscribers() > 0;
  const std::exception_ptr error = has_waiters ? stream_was_closed() : nullptr;
  while (!requests_.empty()) requests_.first()->on_io_closed(error);
  reading_.refuse_all(error);
  writing_.refuse_all(error);
  const bool closes = owned_ && !given_away_ && workers_ == 0;
  if (const Ref<Descriptor> watched = std::move(watched_)) {
    if (owned_) {
      watched->close(error, closes ? Descriptor::AfterDetach::is_closed_next
                                   : Descriptor::AfterDetach::stays_open);
    } else {
      watched->remove_stream(*this, error);
    }
  }
  if (workers_ == 0) close_descriptor();
  notify_and_close(Outcome{error});
}

void Io::worker_ends() noexcept {
  if (--workers_ == 0 && (state_ & closed) != 0) close_descriptor();
}

void Io::close_descriptor() noexcept {
  if (owned_ && !given_away_) real_calls.close(native_);
  owned_ = false;
}

int Io::give_away() {
  if ((state_ & closed) != 0) return -1;
  if (workers_ > 0) {
    throw MisuseError{"Cannot give away " + name() + " while a worker thread reads or writes it"};
  }
  if (type_ == Type::file && buffered() > 0 &&
      ::lseek(native_, -static_cast<off_t>(buffered()), SEEK_CUR) >= 0) {
    reader_.held().clear();
  }
  if (buffered() > 0) {
    throw MisuseError{"Cannot give away " + name() + ": " + std::to_string(buffered()) +
                      " bytes were read ahead; take_read_ahead() takes them"};
  }
  if (reader_.read_in_part() > 0) {
    throw MisuseError{"Cannot give away " + name() + ": a read under way has " +
                      std::to_string(reader_.read_in_part()) + " bytes of it"};
  }
  given_away_ = true;
  const int descriptor = descriptor_;
  close();
  return descriptor;
}

}  // namespace weft
