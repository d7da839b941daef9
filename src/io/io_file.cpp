#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "io/io_reading.hpp"
#include "io/io_wait.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/io_request.hpp"

// Files: an operation that suspends awaits a request, which a worker thread serves.
namespace weft {

/// Reads from the file, past the buffer. If the wait ends early, the worker unlocks the stream
/// when it has read, and the next read returns its bytes.
Ref<IoRequest> Io::Reading::read_file(std::size_t most) {
  io_.state_ &= ~unsigned{end_of_file};  // it may have grown
  Ref<IoRequest> request = IoRequest::make(&io_, IoRequest::Kind::read);
  request->size_ = most;
  request->for_caller_ = true;
  request->begin();
  try {
    await_begun("Reading from a file", *request, token_, place_);
  } catch (...) {
    request->detach_caller(guard_);
    throw;
  }
  return request;
}

std::size_t Io::Reading::fetch_from_file(Bytes to) {
  const Ref<IoRequest> request = read_file(std::min(to.size(), file_chunk));
  const std::string_view data = request->data();
  if (!data.empty()) std::memcpy(to.data(), data.data(), data.size());
  return data.size();
}

std::size_t Io::Reading::fetch_more_from_file(detail::HeldBytes& held, std::size_t size) {
  const Ref<IoRequest> request = read_file(std::max(size, file_chunk));
  held.append(request->data());
  return request->data().size();
}

/// The worker gets a copy: after a cancellation the caller may free its memory while the worker
/// writes.
std::size_t Io::write_file(ConstBytes from, Token token, Place place) {
  const std::size_t size = std::min(from.size(), max_write);
  const Ref<IoRequest> request =
      write(std::string{reinterpret_cast<const char*>(from.data()), size});
  await_begun("Writing to a file", *request, token, place);
  return static_cast<std::size_t>(request->transferred());
}

/// All parts in one request, so that no other write comes in between; several requests if the parts
/// exceed max_write.
void Io::write_file(std::span<const ConstBytes> parts, Token token, Place place) {
  std::vector<std::string> copies;
  copies.reserve(parts.size());
  std::size_t size = 0;
  for (const ConstBytes& part : parts) {
    size += part.size();
    copies.emplace_back(reinterpret_cast<const char*>(part.data()), part.size());
  }
  if (size > max_write) {
    for (const ConstBytes& part : parts) write_all(part, token, place);
    return;
  }
  const Ref<IoRequest> request = write(std::move(copies));
  await_begun("Writing to a file", *request, token, place);
}

}  // namespace weft
