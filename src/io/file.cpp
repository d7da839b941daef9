#include "weft/file.hpp"

#include <cstdio>
#include <fcntl.h>

#include "io/io_wait.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"
#include "weft/extend/io_request.hpp"

namespace weft {
namespace {

int open_flags(unsigned mode) {
  if ((mode & (File::append | File::truncate)) != 0) mode |= File::write;
  int flags = 0;
  switch (mode & (File::read | File::write)) {
    case File::read:
      flags = O_RDONLY;
      break;
    case File::write:
      flags = O_WRONLY;
      break;
    case File::read | File::write:
      flags = O_RDWR;
      break;
    default:
      throw ValueError{"A file is opened to read, to write, or both"};
  }
  if ((mode & File::create) != 0) flags |= O_CREAT;
  if ((mode & File::append) != 0) flags |= O_APPEND;
  if ((mode & File::truncate) != 0) flags |= O_TRUNC;
  if ((mode & File::exclusive) != 0) flags |= O_EXCL;
  return flags;
}

}  // namespace

File File::open(std::string_view path, unsigned mode, unsigned permissions, Token token,
                Place place) {
  Scheduler::expect_to_suspend("File::open()");
  const Ref<IoRequest> request = Io::open(path, open_flags(mode), permissions);
  naming_timeouts([&] { return "open " + std::string{path}; },
                  [&] { await_request("File::open()", *request, token, place); });
  return File{request->io()};
}

File File::adopt(int descriptor) { return File{Io::adopt(descriptor)}; }

std::int64_t File::seek(std::int64_t offset, From from, Token token, Place place) {
  const int whence = from == From::start ? SEEK_SET : from == From::here ? SEEK_CUR : SEEK_END;
  if (from == From::here) offset -= static_cast<std::int64_t>(io().buffered());
  return io().seek(offset, whence, token, place);
}

void File::flush(Token token, Place place) {
  const Ref<Io> file{&io()};
  Scheduler::expect_to_suspend("File::flush()");
  const Ref<IoRequest> request = file->flush();
  naming_timeouts([&] { return "flush " + file->name(); },
                  [&] { await_request("File::flush()", *request, token, place); });
}

FileStatus File::status(Token token, Place place) {
  const Ref<Io> file{&io()};
  Scheduler::expect_to_suspend("File::status()");
  const Ref<IoRequest> request = file->stat();
  naming_timeouts([&] { return "stat " + file->name(); },
                  [&] { await_request("File::status()", *request, token, place); });
  return request->status();
}

}  // namespace weft
