#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include <uv.h>

#include "process/pipe_end.hpp"
#include "reactor/uv_handle.hpp"

namespace weft {

class Reactor;

/// Reads a pipe whenever something is in it, and hands it to whoever receives.
class PipeReader {
 public:
  /// Told of what was read; may destroy the reader.
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

  /// Lets the writer wait.
  void pause() noexcept;
  void resume() noexcept;
  /// Takes what is in the pipe now into `rest`, up to `rest.size()`: bytes read, 0 if there is
  /// none.
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
  // Not on the stack: whoever turns the loop may be a coroutine with little of it.
  std::array<char, 65'536> buffer_;
};

}  // namespace weft
