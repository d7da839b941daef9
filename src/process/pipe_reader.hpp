#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include <uv.h>

#include "process/pipe_end.hpp"
#include "reactor/uv_handle.hpp"

namespace weft {

class Reactor;

/// Reads a pipe whenever it is readable, and passes the data to a Receiver.
class PipeReader {
 public:
  /// Gets what was read; may destroy the reader.
  class Receiver {
   public:
    virtual void received(PipeReader& reader, const char* data, std::size_t size) noexcept = 0;

   protected:
    ~Receiver() = default;
  };

  /// Throws std::system_error.
  PipeReader(Reactor& reactor, PipeEnd end, Receiver& receiver);
  ~PipeReader() { close(); }
  PipeReader(const PipeReader&) = delete;
  PipeReader& operator=(const PipeReader&) = delete;

  /// Stops reading, so that the writer blocks.
  void pause() noexcept;
  void resume() noexcept;
  /// Reads what is in the pipe now, up to `size` bytes: how many, 0 if it is empty.
  std::size_t take(char* rest, std::size_t size) noexcept;
  /// How much is in the pipe now.
  [[nodiscard]] std::size_t available() const noexcept;
  void close() noexcept;

 private:
  static void on_readable(uv_poll_t* handle, int status, int events);
  void read_some() noexcept;

  PipeEnd end_;
  UvHandle<uv_poll_t> poll_;
  Receiver& receiver_;
  bool paused_ = false;
  // Not on the stack: the loop may run on a coroutine with a small one.
  std::array<char, 65'536> buffer_;
};

}  // namespace weft
