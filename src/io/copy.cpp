#include "weft/copy.hpp"

#include <string>
#include <utility>

#include "io/io_wait.hpp"
#include "weft/extend/io_request.hpp"

namespace weft {

std::uint64_t copy(Stream& from, Stream& to, Function<void(std::uint64_t)> progress, Token token,
                   Place place) {
  // Both streams may be moved while this waits.
  const Ref<Io> source{&from.io()};
  const Ref<Io> target{&to.io()};
  return detail::copy_pieces(*source, *target, std::move(progress), token, place);
}

std::uint64_t copy(Stream& from, Stream& to, Token token, Place place) {
  return copy(from, to, Function<void(std::uint64_t)>{}, token, place);
}

std::uint64_t copy(File& from, TcpStream& to, Token token, Place place) {
  const Ref<Io> source{&from.io()};
  if (source->type() != Io::Type::file) {  // a named pipe has no position
    return copy(static_cast<Stream&>(from), static_cast<Stream&>(to), token, place);
  }
  const Ref<Io> target{&to.io()};
  const std::int64_t begin = source->position();
  std::uint64_t all = 0;
  for (;;) {
    const Ref<IoRequest> request =
        source->send_file(*target, begin + static_cast<std::int64_t>(all), std::size_t{1} << 20U);
    naming_timeouts([&] { return "write to " + target->name(); },
                    [&] { await_request("copy()", *request, token, place); });
    if (request->transferred() == 0) break;
    all += static_cast<std::uint64_t>(request->transferred());
  }
  source->seek(begin + static_cast<std::int64_t>(all), SEEK_SET, token, place);
  return all;
}

}  // namespace weft
