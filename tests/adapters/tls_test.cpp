#include "weft/tls.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certificates.hpp"
#include "weft/weft.hpp"

using namespace std::chrono_literals;
using ::testing::HasSubstr;

namespace {

class TlsTest : public ::testing::Test {
 protected:
  /// Runs a server that echoes one message, with the certificate `wanted`, and `client`.
  template <class F>
  void with_server(const weft_test::Certificates::Wanted& wanted, F client) {
    const auto files = certificates.issue(wanted);
    weft::run([&] {
      weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
      port = listener.port();
      auto server = weft::spawn([&] {
        weft::TlsContext context = weft::TlsContext::server(files.certificate, files.key);
        try {
          weft::TlsStream stream = weft::TlsStream::accept(listener.accept(), context);
          const char* name =
              ::SSL_get_servername(stream.native().native_handle(), TLSEXT_NAMETYPE_host_name);
          asked_for = name == nullptr ? "none" : name;
          std::array<char, 64> buffer{};
          const std::size_t size = stream.read_some(buffer);
          stream.write_all(std::string_view{buffer.data(), size});
          stream.shutdown();
        } catch (const std::system_error&) {  // the client refused, or left without close_notify
        }
      });
      client();
      weft::await(server);
    });
  }
  void expect_refusal(const weft_test::Certificates::Wanted& wanted, const std::string& name,
                      const std::string& reason) {
    with_server(wanted, [&] {
      weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
      try {
        static_cast<void>(weft::TlsStream::connect(name, port, context));
        ADD_FAILURE() << "the certificate was accepted";
      } catch (const std::system_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("certificate verify failed"));
        EXPECT_THAT(error.what(), HasSubstr(reason));
        EXPECT_THAT(error.what(), HasSubstr("shake hands over TLS over TCP 127.0.0.1:"));
      }
    });
  }

  weft_test::Certificates certificates;
  unsigned short port = 0;
  std::string asked_for;  // the name that the client has sent
};

}  // namespace

TEST_F(TlsTest, CarriesWhatBothSidesSay) {
  with_server({.name = "localhost"}, [&] {
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    weft::TlsStream stream = weft::TlsStream::connect("localhost", port, context);
    stream.write_all("hello");
    std::array<char, 64> buffer{};
    const std::size_t size = stream.read_some(buffer);
    EXPECT_EQ((std::string_view{buffer.data(), size}), "hello");
    EXPECT_EQ(stream.read_some(buffer), 0U);
    stream.shutdown();
  });
}

TEST_F(TlsTest, EndsAlthoughTheOtherSideHasSentWhatWasNotRead) {
  const auto files = certificates.issue({.name = "localhost"});
  weft::run([&] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    auto server = weft::spawn([&] {
      weft::TlsContext context = weft::TlsContext::server(files.certificate, files.key);
      weft::TlsStream stream = weft::TlsStream::accept(listener.accept(), context);
      for (int i = 0; i < 3; ++i) stream.write_all(std::string(50'000, 'x'));
      stream.shutdown(weft::timeout(10s));
    });
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    weft::TlsStream stream = weft::TlsStream::connect("localhost", listener.port(), context);
    std::array<char, 10> some{};
    stream.read_exactly(some);
    EXPECT_NO_THROW(stream.shutdown(weft::timeout(10s)));
    weft::await(server);
  });
}

TEST_F(TlsTest, ReadsLikeAnyStream) {
  const auto files = certificates.issue({.name = "localhost"});
  weft::run([&] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    auto server = weft::spawn([&] {
      weft::TlsContext context = weft::TlsContext::server(files.certificate, files.key);
      weft::TlsStream stream = weft::TlsStream::accept(listener.accept(), context);
      stream.write_all("one\r\ntwo");
      EXPECT_EQ(stream.read_line(weft::timeout(10s)), "go on");
      stream.write_all("\n12345678abc\n" + std::string(100'000, 'x') + "\nlast");
      stream.shutdown(weft::timeout(10s));
    });
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    weft::TlsStream stream = weft::TlsStream::connect("localhost", listener.port(), context);
    EXPECT_EQ(stream.read_line(), "one");
    EXPECT_THROW(stream.read_line(weft::timeout(1ms)), weft::TimedOut);
    std::array<char, 8> eight{};
    EXPECT_THROW(stream.read_exactly(eight, weft::timeout(1ms)), weft::TimedOut);
    stream.write_all("go on\n");
    EXPECT_EQ(stream.read_line(), "two");
    stream.read_exactly(eight);
    EXPECT_EQ((std::string_view{eight.data(), eight.size()}), "12345678");
    std::array<char, 4> four{};
    EXPECT_EQ(stream.read_some(four), 4U);  // bytes read ahead
    stream.set_line_limit(10'000);
    try {
      stream.read_line();
      ADD_FAILURE() << "the line is too long";
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code().value(), EMSGSIZE);
      EXPECT_THAT(error.what(), HasSubstr("read a line from TLS over TCP 127.0.0.1:"));
    }
    stream.set_line_limit(100'000);
    EXPECT_EQ(stream.read_line(), std::string(100'000, 'x'));
    EXPECT_EQ(stream.read_line(), "last");
    EXPECT_EQ(stream.read_line(), std::nullopt);
    EXPECT_EQ(stream.read_all(), "");
    try {
      stream.read_exactly(eight);
      ADD_FAILURE() << "nothing more comes";
    } catch (const std::system_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("it ended after 0 of 8 bytes"));
    }
    stream.shutdown(weft::timeout(10s));
    weft::await(server);
    EXPECT_TRUE(stream.is_open());
    stream.close();
    EXPECT_FALSE(stream.is_open());
  });
}

TEST_F(TlsTest, RefusesAServerOfAnotherName) {
  expect_refusal({.name = "example.org"}, "localhost", "hostname mismatch");
}

TEST_F(TlsTest, RefusesAServerOfAnotherAddress) {
  expect_refusal({.name = "IP:127.0.0.2"}, "127.0.0.1", "IP address mismatch");
}

TEST_F(TlsTest, TakesNoNameForAnAddress) {
  expect_refusal({.name = "127.0.0.1"}, "127.0.0.1", "IP address mismatch");
}

TEST_F(TlsTest, TakesAnAddressThatTheCertificateIsFor) {
  with_server({.name = "IP:127.0.0.1"}, [&] {
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    weft::TlsStream stream = weft::TlsStream::connect("127.0.0.1", port, context);
    stream.write_all("hello");
    std::array<char, 64> buffer{};
    EXPECT_EQ(stream.read_some(buffer), 5U);
  });
  EXPECT_EQ(asked_for, "none");  // an address is no server name
}

TEST_F(TlsTest, SendsTheNameOfTheServerThatTheClientWants) {
  with_server({.name = "localhost"}, [&] {
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    weft::TlsStream stream = weft::TlsStream::connect("localhost", port, context);
    stream.write_all("hello");
    std::array<char, 64> buffer{};
    EXPECT_EQ(stream.read_some(buffer), 5U);
  });
  EXPECT_EQ(asked_for, "localhost");
}

TEST_F(TlsTest, RefusesACertificateThatHasExpired) {
  expect_refusal({.name = "localhost", .from_seconds = -7'200, .to_seconds = -3'600}, "localhost",
                 "certificate has expired");
}

TEST_F(TlsTest, RefusesACertificateThatIsNotValidYet) {
  expect_refusal({.name = "localhost", .from_seconds = 3'600, .to_seconds = 7'200}, "localhost",
                 "certificate is not yet valid");
}

TEST_F(TlsTest, RefusesACertificateThatSignedItself) {
  expect_refusal({.name = "localhost", .self_signed = true}, "localhost",
                 "self-signed certificate");
}

TEST_F(TlsTest, TrustsTheAuthoritiesOfTheSystemByDefaultAndNoOthers) {
  with_server({.name = "localhost"}, [&] {
    weft::TlsContext context = weft::TlsContext::client();
    EXPECT_THROW(static_cast<void>(weft::TlsStream::connect("localhost", port, context)),
                 std::system_error);
  });
}

TEST_F(TlsTest, CarriesMuchInBothDirectionsAtOnce) {
  const auto files = certificates.issue({.name = "localhost"});
  constexpr std::size_t much = std::size_t{4} << 20U;
  // Sends pieces of all sizes and reads as many bytes at the same time; returns those.
  const auto talk = [](weft::TlsStream& stream, char sent) {
    auto writer = weft::spawn([&stream, sent] {
      for (std::size_t done = 0, size = 1; done < much; size = size * 3 % 50'021) {
        const std::string piece(std::min(size, much - done), sent);
        stream.write_all(piece);
        done += piece.size();
      }
    });
    std::string all;
    std::array<char, 3'000> buffer{};
    while (all.size() < much) {
      const std::size_t size = stream.read_some(buffer);
      if (size == 0) break;
      all.append(buffer.data(), size);
    }
    weft::await(writer);
    return all;
  };
  weft::run([&] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    auto server = weft::spawn([&] {
      weft::TlsContext context = weft::TlsContext::server(files.certificate, files.key);
      weft::TlsStream stream = weft::TlsStream::accept(listener.accept(), context);
      return talk(stream, 's');
    });
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    weft::TlsStream stream = weft::TlsStream::connect("localhost", listener.port(), context);
    EXPECT_TRUE(talk(stream, 'c') == std::string(much, 's'));
    EXPECT_TRUE(weft::await(server) == std::string(much, 'c'));
  });
}

TEST_F(TlsTest, ClosesAConnectionInTheMiddleOfARecord) {
  const auto files = certificates.issue({.name = "localhost"});
  weft::run([&] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::Trigger tried;
    auto server = weft::spawn([&] {
      weft::TlsContext context = weft::TlsContext::server(files.certificate, files.key);
      weft::TlsStream stream = weft::TlsStream::accept(listener.accept(), context);
      weft::await(tried);
      std::array<char, 4'096> buffer{};
      while (stream.read_some(buffer) != 0) {
      }
    });
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    weft::TlsStream stream = weft::TlsStream::connect("localhost", listener.port(), context);
    const std::string much(std::size_t{64} << 20U, 'x');  // and the other side does not read
    EXPECT_THROW(stream.write_all(much, weft::timeout(20ms)), weft::TimedOut);
    EXPECT_THROW(stream.write_all("more"), std::system_error);
    tried.fire();
    EXPECT_THROW(weft::await(server), std::system_error);  // no close_notify
  });
}

TEST_F(TlsTest, EndsAHandshakeThatTakesTooLong) {
  weft::run([&] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);  // accepts and does not answer
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    EXPECT_THROW(static_cast<void>(weft::TlsStream::connect("localhost", listener.port(), context,
                                                            weft::timeout(20ms))),
                 weft::TimedOut);
  });
}

TEST_F(TlsTest, CanBeCancelledInTheMiddleOfAHandshake) {
  weft::run([&] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
    auto client = weft::spawn([&] {
      static_cast<void>(weft::TlsStream::connect("localhost", listener.port(), context));
    });
    weft::TcpStream accepted = listener.accept();
    std::array<char, 1> first{};
    accepted.read_exactly(first);  // the client has begun the handshake, and waits
    client.cancel();
    EXPECT_THROW(weft::await(client), weft::Cancelled);
  });
}
