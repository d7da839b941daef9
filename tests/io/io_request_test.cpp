#include "weft/extend/io_request.hpp"

#include <array>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <vector>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "half.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using weft::Io;
using weft::IoRequest;
using weft::Ref;
using weft_test::Call;
using weft_test::Ends;
using weft_test::error_of;
using weft_test::Half;
using weft_test::is;
using weft_test::put;
using weft_test::TemporaryDirectory;
using weft_test::text;

/// Handles of every type: `readers` have data, `writers` have room.
struct OfEveryType {
  OfEveryType() {
    Ends pipe = Ends::pipe();
    put(pipe.there.get(), "data");
    readers.push_back(Io::adopt(pipe.here.release()));
    writers.push_back(Io::adopt(pipe.there.release()));

    const int file = ::open((directory / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    put(file, "data");
    ::lseek(file, 0, SEEK_SET);
    readers.push_back(Io::adopt(file));
    writers.push_back(readers.back());

    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ::grantpt(terminal);
    ::unlockpt(terminal);
    const int far = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
    put(terminal, "data\n");
    readers.push_back(Io::adopt(far));
    writers.push_back(readers.back());
    kept.emplace_back(terminal);

    Ends datagrams = Ends::sockets(SOCK_DGRAM);
    put(datagrams.there.get(), "data");
    readers.push_back(Io::adopt(datagrams.here.release()));
    writers.push_back(readers.back());
    kept.push_back(std::move(datagrams.there));

    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    auto accepted = weft::spawn([&] { return listener.accept(); });
    weft::TcpStream client = weft::TcpStream::connect("127.0.0.1", listener.port());
    weft::TcpStream server = weft::await(accepted);
    server.write_all("data");
    readers.emplace_back(&client.io());
    writers.emplace_back(&client.io());
    tcp.push_back(std::move(client));
    tcp.push_back(std::move(server));
  }

  TemporaryDirectory directory;
  std::vector<Ref<Io>> readers;
  std::vector<Ref<Io>> writers;
  std::vector<weft_test::OwnDescriptor> kept;
  std::vector<weft::TcpStream> tcp;
};

// R-IO-1, R-IO-3, R-IO-4, R-IO-5
TEST(IoRequestTest, TheSameOperationsWorkOnEveryType) {
  weft::testing::run([] {
    const OfEveryType all;
    std::vector<Io::Type> types;
    for (const Ref<Io>& io : all.readers) {
      types.push_back(io->type());
      const Ref<IoRequest> request = io->read(4);
      if (!request->is_completed()) weft::await(*request);
      EXPECT_TRUE(request->is_completed());
      EXPECT_EQ(request->transferred(), 4);
      EXPECT_EQ(request->data(), "data");
      EXPECT_EQ(request->error(), nullptr);
      weft::await(*request);  // a completed request: returns at once
    }
    EXPECT_EQ(types, (std::vector{Io::Type::pipe, Io::Type::file, Io::Type::tty, Io::Type::udp,
                                  Io::Type::tcp}));
    for (const Ref<Io>& io : all.writers) {
      const Ref<IoRequest> request = io->write("answer");
      if (!request->is_completed()) weft::await(*request);
      EXPECT_EQ(request->transferred(), 6) << io->info();
      io->close();
      EXPECT_EQ(io->descriptor(), -1);
      EXPECT_TRUE(io->is_closed());
    }
  });
}

// R-IO-2, R-OBS-3, R-EVT-13
TEST(IoRequestTest, AHandleKnowsWhatItIs) {
  weft::testing::run([] {
    Ends pipe = Ends::pipe();
    const int number = pipe.here.get();
    const Ref<Io> reader = Io::adopt(pipe.here.release());
    const Ref<Io> writer = Io::adopt(pipe.there.release());
    EXPECT_EQ(reader->descriptor(), number);
    EXPECT_EQ(reader->state(), Io::readable);
    EXPECT_EQ(writer->state(), Io::writable);
    EXPECT_EQ(reader->info(), "IO(type=pipe, fd=" + std::to_string(number) + ")");
    EXPECT_TRUE(is<std::system_error>(error_of([&] { static_cast<void>(reader->write("x")); })));
    EXPECT_TRUE(is<std::system_error>(error_of([&] { static_cast<void>(writer->read(1)); })));
    const std::size_t active = weft::stats().active_events;
    reader->start();
    reader->start();
    EXPECT_EQ(reader->loop_references(), 2U);
    EXPECT_EQ(weft::stats().active_events, active);
    reader->stop();
    reader->stop();
    reader->stop();
    EXPECT_EQ(reader->loop_references(), 0U);
    writer->close();
    EXPECT_EQ(writer->state(), Io::writable | Io::closed);
    weft::await(*reader->read(1));
    EXPECT_EQ(reader->state(), Io::readable | Io::end_of_file);
  });
}

// R-IO-7
TEST(IoRequestTest, OperationsOnAClosedHandleFailAtOnce) {
  weft::testing::run([] {
    const Half half = Half::sockets();
    half.io->close();
    EXPECT_NE(text(error_of([&] {
                static_cast<void>(half.io->read(1));
              })).find("Cannot read from closed IO handle"),
              std::string::npos);
    EXPECT_NE(text(error_of([&] {
                static_cast<void>(half.io->write("x"));
              })).find("Cannot write to closed IO handle"),
              std::string::npos);
    for (const auto& operation : std::vector<std::function<void()>>{
             [&] { static_cast<void>(half.io->stat()); },
             [&] { static_cast<void>(half.io->flush()); }, [&] { half.io->seek(0, SEEK_SET); },
             [&] { half.io->wait_readable(); }, [&] { half.io->write_and_forget("x", [] {}); },
             [&] { static_cast<void>(half.io->poll(weft::Poll::readable)); }}) {
      const auto error = error_of(operation);
      EXPECT_TRUE(is<std::system_error>(error));
      EXPECT_NE(text(error).find("closed IO handle"), std::string::npos) << text(error);
    }
  });
}

// R-IO-8, R-IO-10
TEST(IoRequestTest, AfterTheEndAReadIsCompletedAlready) {
  weft::testing::run([] {
    Half half = Half::sockets();
    half.there.reset();
    const Ref<IoRequest> first = half.io->read(10);
    EXPECT_FALSE(first->is_completed());
    weft::await(*first);
    EXPECT_EQ(first->transferred(), 0);
    EXPECT_TRUE(half.io->is_at_end());
    const Ref<IoRequest> second = half.io->read(10);
    EXPECT_TRUE(second->is_completed());
    EXPECT_EQ(second->transferred(), 0);
    EXPECT_EQ(second->data(), "");
  });
}

// R-IO-8
TEST(IoRequestTest, TheEndOfAFileIsRememberedUntilItsPositionMoves) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const Ref<IoRequest> opened = Io::open(directory / "file", O_RDWR | O_CREAT);
    weft::await(*opened);
    const Ref<Io> file = opened->io();
    weft::await(*file->write("text"));
    weft::await(*file->read(10));
    EXPECT_TRUE(file->is_at_end());
    EXPECT_TRUE(file->read(10)->is_completed());
    file->seek(0, SEEK_SET);
    const Ref<IoRequest> again = file->read(10);
    EXPECT_FALSE(again->is_completed());
    weft::await(*again);
    EXPECT_EQ(again->data(), "text");
  });
}

// R-IO-10
TEST(IoRequestTest, AReadOfNothingIsNotTheEnd) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const Half half = Half::sockets();
    put(half.there.get(), "text");
    half.io->wait_readable();
    const Ref<IoRequest> opened = Io::open(directory / "file", O_RDWR | O_CREAT);
    weft::await(*opened);
    weft::await(*opened->io()->write("text"));
    opened->io()->seek(0, SEEK_SET);
    for (const Ref<Io>& io : {half.io, opened->io()}) {
      const Ref<IoRequest> nothing = io->read(0);
      EXPECT_TRUE(nothing->is_completed());
      EXPECT_EQ(nothing->transferred(), 0);
      EXPECT_FALSE(io->is_at_end());
      const Ref<IoRequest> something = io->read(10);
      if (!something->is_completed()) weft::await(*something);
      EXPECT_EQ(something->data(), "text");
    }
    EXPECT_THROW(static_cast<void>(half.io->read_multishot(0)), weft::ValueError);
  });
}

// R-IO-9
TEST(IoRequestTest, AReadIsOneChunk) {
  weft::testing::run([] {
    const Half half = Half::sockets();
    const Ref<IoRequest> request = half.io->read(100);
    put(half.there.get(), "one");
    weft::await(*request);
    put(half.there.get(), "two");
    weft::tick_reactor();
    EXPECT_EQ(request->data(), "one");
    const Ref<IoRequest> next = half.io->read(2);
    weft::await(*next);
    EXPECT_EQ(next->data(), "tw");
  });
}

// R-IO-9
TEST(IoRequestTest, InMultishotModeTheSameRequestNotifiesOfEveryChunk) {
  weft::testing::run([] {
    Half half = Half::sockets();
    const Ref<IoRequest> request = half.io->read_multishot(100);
    for (const char* chunk : {"one", "two", "three"}) {
      put(half.there.get(), chunk);
      weft::await(*request);
      EXPECT_EQ(request->data(), chunk);
      EXPECT_FALSE(request->is_completed());
      weft::tick_reactor();
    }
    std::vector<std::string> chunks;
    Call call{[&](weft::Event&, const weft::Outcome&) { chunks.emplace_back(request->data()); }};
    request->add_callback(call);
    request->start();
    for (const char* chunk : {"a", "b"}) {
      put(half.there.get(), chunk);
      weft::tick_reactor();
    }
    EXPECT_EQ(chunks, (std::vector<std::string>{"a", "b"}));
    half.there.reset();
    weft::tick_reactor();
    EXPECT_TRUE(request->is_completed());
    EXPECT_EQ(request->transferred(), 0);
    EXPECT_EQ(chunks.size(), 3U);
    request->remove_callback(call);
  });
}

// R-IO-9, R-IO-5; trap 20: bytes read ahead, and bytes that were reported already.
TEST(IoRequestTest, InMultishotModeWhatIsThereAlreadyIsDeliveredToo) {
  weft::testing::run([] {
    const Half half = Half::sockets();
    put(half.there.get(), "line\nrest");
    EXPECT_EQ(half.io->read_line(), "line");
    const Ref<IoRequest> held = half.io->read_multishot(100);
    weft::await(*held, weft::timeout(1s));
    EXPECT_EQ(held->data(), "rest");
    put(half.there.get(), "more");
    weft::await(*held, weft::timeout(1s));
    EXPECT_EQ(held->data(), "more");
    const Half other = Half::sockets();
    put(other.there.get(), "data");
    other.io->wait_readable();
    const Ref<IoRequest> known = other.io->read_multishot(100);
    weft::await(*known, weft::timeout(1s));
    EXPECT_EQ(known->data(), "data");
  });
}

// R-IO-9: even if more than one chunk is buffered.
TEST(IoRequestTest, InMultishotModeAllThatIsHeldIsDelivered) {
  weft::testing::run([] {
    const Half half = Half::sockets();
    put(half.there.get(), "line\nrest");
    EXPECT_EQ(half.io->read_line(), "line");
    const Ref<IoRequest> request = half.io->read_multishot(2);
    std::vector<std::string> chunks;
    Call call{[&](weft::Event&, const weft::Outcome&) { chunks.emplace_back(request->data()); }};
    request->add_callback(call);
    request->start();
    put(half.there.get(), "!");
    weft::tick_reactor();
    EXPECT_EQ(chunks, (std::vector<std::string>{"re", "st", "!"}));
    request->stop();
    request->remove_callback(call);
  });
}

// R-IO-9
TEST(IoRequestTest, AnEmptyDatagramIsAChunkAndNoEnd) {
  weft::testing::run([] {
    Ends ends = Ends::sockets(SOCK_DGRAM);
    const Ref<Io> io = Io::adopt(ends.here.release());
    const Ref<IoRequest> request = io->read_multishot(100);
    ASSERT_EQ(::send(ends.there.get(), "", 0, 0), 0);
    weft::await(*request);
    EXPECT_FALSE(request->is_completed());
    EXPECT_EQ(request->transferred(), 0);
    put(ends.there.get(), "x");
    weft::await(*request);
    EXPECT_EQ(request->data(), "x");
  });
}

// R-IO-10
TEST(IoRequestTest, AnErrorIsInTheRequest) {
  weft::testing::run([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    auto accepted = weft::spawn([&] { return listener.accept(); });
    weft::TcpStream client = weft::TcpStream::connect("127.0.0.1", listener.port());
    weft::TcpStream server = weft::await(accepted);
    const Ref<IoRequest> request = client.io().read(10);
    const linger now{1, 0};
    ::setsockopt(server.descriptor(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    server.close();
    const auto error = error_of([&] { weft::await(*request); });
    EXPECT_TRUE(request->is_completed());
    EXPECT_EQ(request->transferred(), -1);
    EXPECT_TRUE(is<std::system_error>(request->error()));
    EXPECT_EQ(text(request->error()), text(error));
    EXPECT_EQ(text(error).find("read from TCP 127.0.0.1:"), 0U) << text(error);
  });
}

// R-IO-11
TEST(IoRequestTest, ACompletionBelongsToOneRequestAndIsNotifiedOnTheHandle) {
  weft::testing::run([] {
    const Half half = Half::sockets();
    half.io->set_option(SOL_SOCKET, SO_SNDBUF, 1);
    int notified = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    half.io->add_callback(call);
    std::vector<std::string> order;
    std::vector<weft::Coroutine<void>> writers;
    for (int i = 0; i < 4; ++i) {
      writers.push_back(weft::spawn([&, i] {
        const Ref<IoRequest> request =
            half.io->write(std::string(50'000, static_cast<char>('a' + i)));
        if (!request->is_completed()) weft::await(*request);
        EXPECT_EQ(request->transferred(), 50'000);
        order.emplace_back(1, static_cast<char>('a' + i));
      }));
    }
    std::string got;
    while (got.size() < 200'000) {
      weft::suspend();
      weft::tick_reactor();
      got += weft_test::take(half.there.get());
    }
    weft::await_all(writers);
    EXPECT_EQ(got, std::string(50'000, 'a') + std::string(50'000, 'b') + std::string(50'000, 'c') +
                       std::string(50'000, 'd'));
    EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c", "d"}));
    EXPECT_EQ(notified, 4);
    half.io->remove_callback(call);
  });
}

// R-IO-6
TEST(IoRequestTest, WritesSeveralPiecesInOneGo) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const Half half = Half::sockets();
    const Ref<IoRequest> request =
        half.io->write(std::vector<std::string>{"one ", "", "two ", "three"});
    EXPECT_TRUE(request->is_completed());  // the first try succeeds
    EXPECT_EQ(request->transferred(), 13);
    EXPECT_EQ(weft_test::take(half.there.get()), "one two three");
    const Ref<IoRequest> opened = Io::open(directory / "file", O_RDWR | O_CREAT);
    weft::await(*opened);
    const Ref<IoRequest> written =
        opened->io()->write(std::vector<std::string>{"a", "bc", "", "d"});
    weft::await(*written);
    EXPECT_EQ(written->transferred(), 4);
    const Ref<IoRequest> status = opened->io()->stat();
    weft::await(*status);
    EXPECT_EQ(status->status().size, 4U);
    weft::await(*opened->io()->flush());
    EXPECT_TRUE(half.io->flush()->is_completed());
  });
}

// R-IO-6
TEST(IoRequestTest, SendsAFileToASocket) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    std::string much;
    for (int i = 0; i < 100'000; ++i) much += std::to_string(i);
    weft::File file = weft::File::open(directory / "file",
                                       weft::File::read | weft::File::write | weft::File::create);
    file.write_all(much);
    auto both = weft::UnixStream::pair();
    weft::UnixStream& here = both.first;
    weft::UnixStream& there = both.second;
    const Ref<IoRequest> request = file.io().send_file(here.io(), 5, much.size());
    auto receiver = weft::spawn([&] { return there.read_all(); });
    auto after = weft::spawn([&] { here.write_all("after"); });
    weft::await(*request);
    EXPECT_EQ(request->transferred(), static_cast<std::int64_t>(much.size() - 5));
    weft::await(after);
    here.close();
    EXPECT_TRUE(weft::await(receiver) == much.substr(5) + "after");
    EXPECT_EQ(file.position(), static_cast<std::int64_t>(much.size()));
    auto next = weft::UnixStream::pair();
    const Ref<IoRequest> unsent = file.io().send_file(next.first.io(), 0, much.size());
    weft::delay(1ms);
    const int source = file.descriptor();
    file.close();
    EXPECT_TRUE(weft_test::is_open(source));  // the transfer still needs it
    next.first.close();
    EXPECT_TRUE(unsent->is_completed());
    EXPECT_TRUE(unsent->is_io_closed());
    while (weft_test::is_open(source)) weft::delay(1ms);
  });
}

// R-IO-14
TEST(IoRequestTest, AWriteHasAnUpperBound) {
  EXPECT_EQ(Io::max_write, 0x7ffff000U);
  weft::testing::run([] {
    const Half half = Half::sockets();
    int given_back = 0;
    const char byte = 'x';
    EXPECT_TRUE(is<weft::ValueError>(error_of([&] {
      half.io->write_and_forget(weft::ConstBytes{&byte, Io::max_write + 1}, [&] { ++given_back; });
    })));
    EXPECT_EQ(given_back, 1);
  });
}

// R-IO-15, R-IO-16
TEST(IoRequestTest, ARequestMayBeDroppedInFlight) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const Half half = Half::sockets();
    { const Ref<IoRequest> armed = half.io->read(10); }
    put(half.there.get(), "for the next");
    const Ref<IoRequest> next = half.io->read(100);
    weft::await(*next);
    EXPECT_EQ(next->data(), "for the next");

    const Ref<IoRequest> opened = Io::open(directory / "file", O_RDWR | O_CREAT);
    weft::await(*opened);
    const Ref<Io> file = opened->io();
    const Ref<IoRequest> first = file->write(std::string(100'000, 'a'));
    Ref<IoRequest> dropped = file->write(std::string(100'000, 'b'));
    const Ref<IoRequest> last = file->write("c");
    dropped = nullptr;  // was queued: it never runs
    weft::await(*last);
    EXPECT_TRUE(first->is_completed());
    const Ref<IoRequest> status = file->stat();
    weft::await(*status);
    EXPECT_EQ(status->status().size, 100'001U);
    { const Ref<IoRequest> at_work = file->write(std::string(100'000, 'd')); }
    { const Ref<IoRequest> opening = Io::open(directory / "file", O_RDONLY); }
    weft::await(*file->flush());  // runs after the dropped requests
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-IO-17
TEST(IoRequestTest, CloseCompletesWhatIsInFlight) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const Half half = Half::sockets();
    const Ref<IoRequest> active = half.io->read(10);
    const Ref<IoRequest> waiting = half.io->read(10);
    const Ref<IoRequest> writing = half.io->write(std::string(10'000'000, 'x'));
    auto waiter = weft::spawn([&] { weft::await(*active); });
    weft::testing::settle();
    half.io->close();
    for (const auto& request : {active, waiting, writing}) {
      EXPECT_TRUE(request->is_completed());
      EXPECT_TRUE(request->is_io_closed());
      EXPECT_EQ(request->transferred(), 0);
      EXPECT_NE(text(request->error()).find("Stream was closed"), std::string::npos);
    }
    EXPECT_TRUE(is<std::system_error>(error_of([&] { weft::await(waiter); })));
    EXPECT_EQ(weft::stats().hidden_events, 0U);
  });
}

// R-IO-18
TEST(IoRequestTest, StandardStreamsAreCopies) {
  weft::testing::run([] {
    const Ref<Io> output = Io::standard(1);
    EXPECT_NE(output->descriptor(), 1);
    EXPECT_NE(::fcntl(output->descriptor(), F_GETFD) & FD_CLOEXEC, 0);
    const int flags = ::fcntl(1, F_GETFL);
    output->close();
    EXPECT_TRUE(weft_test::is_open(1));
    EXPECT_EQ(::fcntl(1, F_GETFL), flags);
  });
}

// R-DLK-1
TEST(IoRequestTest, AReaderQueuedBehindAnUnawaitedRequestIsInNoDeadlock) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const Ref<IoRequest> opened = Io::open(directory / "file", O_RDWR | O_CREAT);
    weft::await(*opened);
    Io& file = *opened->io();
    const Ref<IoRequest> write = file.write(std::string(10'000'000, 'x'));
    EXPECT_EQ(file.seek(0, SEEK_END), 10'000'000);
    EXPECT_TRUE(write->is_completed());
    { const Ref<IoRequest> dropped = file.write(std::string(10'000'000, 'x')); }
    EXPECT_EQ(file.seek(0, SEEK_SET), 0);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-DLK-1: a multishot read holds the stream lock until the end of the stream.
TEST(IoRequestTest, AReaderQueuedBehindAnUnawaitedMultishotReadIsInADeadlock) {
  std::vector<std::string> warnings;
  EXPECT_THROW(weft::testing::run(
                   [] {
                     const Half half = Half::sockets();
                     put(half.there.get(), "line\n");
                     const Ref<IoRequest> chunks = half.io->read_multishot(10);
                     half.io->read_line();
                   },
                   weft_test::collecting(warnings)),
               weft::DeadlockError);
}

TEST(IoRequestTest, ManyInTheQueueNeedNoDeepStack) {
  weft::testing::run([] {
    const Half half = Half::sockets();
    const std::size_t filled = weft_test::fill(half.io->descriptor());
    int done = 0;
    for (int i = 0; i < 20'000; ++i) half.io->write_and_forget("x", [&] { ++done; });
    std::size_t got = 0;
    while (got < filled + 20'000) {
      got += weft_test::drain(half.there.get());
      weft::delay(1ms);
    }
    EXPECT_EQ(done, 20'000);
  });
}

TEST(IoRequestTest, RequestsAndCallsThatSuspendAreServedInOrder) {
  weft::testing::run([] {
    auto both = weft::UnixStream::pair();
    weft::UnixStream& here = both.first;
    weft::UnixStream& there = both.second;
    here.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
    const std::string a(50'000, 'a');
    auto first = weft::spawn([&] { here.write_all(a); });
    weft::testing::settle();
    const Ref<IoRequest> second = here.io().write("b");
    auto third = weft::spawn([&] { here.write_all("c"); });
    std::string got(a.size() + 2, ' ');
    there.read_exactly(got);
    EXPECT_TRUE(got == a + "bc");
    EXPECT_TRUE(second->is_completed());
  });
}

}  // namespace
