// weft/tls.hpp with the openssl program as its peer.

#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certificates.hpp"
#include "weft/tls.hpp"
#include "weft/weft.hpp"

using namespace std::chrono_literals;
using ::testing::HasSubstr;

namespace {

constexpr auto patience = 20s;

class OpensslTest : public ::testing::Test {
 protected:
  static weft::Process start(std::vector<std::string> words) {
    words.insert(words.begin(), "openssl");
    return weft::Process::start(
        std::move(words),
        {.stdin_ = weft::piped, .stdout_ = weft::piped, .stderr_ = weft::with_output});
  }
  /// Reads the output of the program up to a line that contains `sign`, and returns that line.
  static std::string line_with(weft::Process& program, std::string_view sign) {
    std::string said;
    while (const std::optional<std::string> line =
               program.stdout_().read_line(weft::timeout(patience))) {
      if (line->find(sign) != std::string::npos) return *line;
      said += *line + "\n";
    }
    throw std::runtime_error{"openssl said no " + std::string{sign} + ": " + said};
  }
  static std::string read_text(weft::TlsStream& stream, std::size_t size) {
    std::string text(size, '.');
    for (std::size_t got = 0; got < size;) {
      const std::size_t n =
          stream.read_some(weft::Bytes{text.data() + got, size - got}, weft::timeout(patience));
      if (n == 0) return text.substr(0, got);
      got += n;
    }
    return text;
  }

  /// Runs a weft server that echoes, and openssl as its client, with the arguments `words`.
  template <class F>
  void with_client(std::vector<std::string> words, F talk) {
    const auto files = certificates.issue({.name = "localhost"});
    weft::run([&] {
      weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
      weft::TlsContext context = weft::TlsContext::server(files.certificate, files.key);
      auto server = weft::spawn([&] {
        weft::TcpStream connection = listener.accept(weft::timeout(patience));
        weft::TlsStream stream =
            weft::TlsStream::accept(std::move(connection), context, weft::timeout(patience));
        std::array<char, 1024> buffer{};
        while (const std::size_t size = stream.read_some(buffer, weft::timeout(patience))) {
          stream.write_all(std::string_view{buffer.data(), size}, weft::timeout(patience));
        }
        stream.shutdown(weft::timeout(patience));
      });
      words.insert(words.begin(),
                   {"s_client", "-connect", "127.0.0.1:" + std::to_string(listener.port()),
                    "-servername", "localhost", "-verify_hostname", "localhost",
                    "-verify_return_error", "-CAfile", certificates.authority()});
      weft::Process client = start(words);
      talk(client, server);
    });
  }

  /// Runs openssl as a server, which sends back each line reversed, and `client(port)`.
  template <class F>
  void with_server(std::vector<std::string> words, F client) {
    const auto files = certificates.issue({.name = "localhost"});
    weft::run([&] {
      words.insert(words.begin(), {"s_server", "-accept", "127.0.0.1:0", "-cert", files.certificate,
                                   "-key", files.key, "-rev"});
      weft::Process server = start(words);
      const std::string line = line_with(server, "ACCEPT ");
      const auto port = static_cast<unsigned short>(std::stoi(line.substr(line.rfind(':') + 1)));
      weft::TlsContext context = weft::TlsContext::client_trusting(certificates.authority());
      weft::TlsStream stream =
          weft::TlsStream::connect("localhost", port, context, weft::timeout(patience));
      client(stream, server);
      server.kill(SIGKILL);
      server.wait(weft::timeout(patience));
    });
  }

  weft_test::Certificates certificates;
};

}  // namespace

TEST_F(OpensslTest, AServerTalksToItsClient) {
  for (const char* version : {"-tls1_2", "-tls1_3"}) {
    with_client({"-quiet", version}, [&](weft::Process& client, auto& server) {
      client.stdin_().write_all("hello\n");
      EXPECT_EQ(line_with(client, "hello"), "hello") << version;
      client.kill(SIGTERM);
      EXPECT_THROW(weft::await(server), std::system_error);  // killed: it sent no close_notify
    });
  }
}

TEST_F(OpensslTest, AServerIsVerified) {
  with_client({}, [&](weft::Process& client, auto& server) {
    EXPECT_THAT(line_with(client, "Verif"), HasSubstr("OK"));
    client.stdin_().close();  // at the end of its input the client sends close_notify
    weft::await(server);
    EXPECT_EQ(client.wait(weft::timeout(patience)), 0);
  });
}

TEST_F(OpensslTest, AServerFollowsWhenTheKeysAreChanged) {
  with_client({"-tls1_3"}, [&](weft::Process& client, auto& server) {
    line_with(client, "Verif");
    client.stdin_().write_all("before\n");
    line_with(client, "before");
    client.stdin_().write_all("K\n");  // s_client: change the keys of both sides
    line_with(client, "KEYUPDATE");
    client.stdin_().write_all("after\n");
    EXPECT_EQ(line_with(client, "after"), "after");
    client.stdin_().close();
    weft::await(server);
  });
}

TEST_F(OpensslTest, AServerRefusesVersionsThatAreTooOld) {
  with_client({"-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"},
              [&](weft::Process& client, auto& server) {
                EXPECT_THROW(weft::await(server), std::system_error);
                EXPECT_NE(client.wait(weft::timeout(patience)), 0);
              });
}

TEST_F(OpensslTest, AClientTalksToItsServer) {
  for (const char* version : {"-tls1_2", "-tls1_3"}) {
    with_server({version}, [&](weft::TlsStream& stream, weft::Process&) {
      stream.write_all("hello\n");
      EXPECT_EQ(read_text(stream, 6), "olleh\n") << version;
      stream.write_all("CLOSE\n");
      EXPECT_EQ(read_text(stream, 1), "") << version;  // the server has sent close_notify
      stream.shutdown(weft::timeout(patience));
    });
  }
}

TEST_F(OpensslTest, AClientGetsAnErrorWhenTheServerIsCutOff) {
  for (const char* version : {"-tls1_2", "-tls1_3"}) {
    with_server({version}, [&](weft::TlsStream& stream, weft::Process& server) {
      stream.write_all("hello\n");
      EXPECT_EQ(read_text(stream, 6), "olleh\n");
      server.kill(SIGKILL);  // no close_notify comes
      for (int i = 0; i < 2; ++i) {
        try {
          read_text(stream, 1);
          ADD_FAILURE() << "a connection without close_notify must not look like an orderly end";
        } catch (const std::system_error& error) {
          const boost::system::error_code cut{boost::asio::ssl::error::stream_truncated};
          EXPECT_EQ(error.code(), std::error_code{cut}) << version;
        }
      }
    });
  }
}

TEST_F(OpensslTest, AClientRefusesAServerThatItsAuthorityDoesNotKnow) {
  const auto files = certificates.issue({.name = "localhost"});
  const weft_test::Certificates others;
  weft::run([&] {
    weft::Process server = start({"s_server", "-accept", "127.0.0.1:0", "-cert", files.certificate,
                                  "-key", files.key, "-rev"});
    const std::string line = line_with(server, "ACCEPT ");
    const auto port = static_cast<unsigned short>(std::stoi(line.substr(line.rfind(':') + 1)));
    weft::TlsContext context = weft::TlsContext::client_trusting(others.authority());
    EXPECT_THROW(static_cast<void>(
                     weft::TlsStream::connect("localhost", port, context, weft::timeout(patience))),
                 std::system_error);
    line_with(server, "alert");  // the server got the alert of the client
    server.kill(SIGKILL);
    server.wait(weft::timeout(patience));
  });
}
