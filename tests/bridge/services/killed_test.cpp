#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <mariadb/mysql.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "certificates.hpp"
#include "services.hpp"
#include "temporary.hpp"

// A server that goes away in the middle of calls: each coroutine gets its error, and none waits on.
namespace {

using namespace std::chrono_literals;
using weft_test::all_at_once;
using weft_test::Done;
using weft_test::fetch;
using weft_test::many;
using weft_test::Postgres;
using weft_test::RealTimeServicesTest;
using weft_test::Redis;

// A killed process makes PostgreSQL end all the others: each coroutine gets its error.
TEST_F(RealTimeServicesTest, AServerThatIsKilledInTheMiddleOfQueriesHangsNoCoroutine) {
  const Done done = all_at_once([](int i) {
    Postgres connection;
    if (i == 0) {
      weft::delay(300ms);
      ::kill(connection.server(), SIGKILL);
    }
    return connection.ask("select 1 from pg_sleep(20) as s(x)") == "error" &&
           connection.is_broken();
  });
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 10s);
  for (int i = 0; i < 200; ++i) {  // it recovers by itself
    if (!Postgres{}.is_broken()) return;
    ::usleep(50'000);
  }
  FAIL() << "PostgreSQL did not come back";
}

TEST_F(RealTimeServicesTest, AConnectionThatRedisClosesEndsTheCall) {
  const Done done = all_at_once([](int i) {
    if (i == 0) {
      weft::delay(200ms);
      Redis{}.ask("CLIENT KILL TYPE normal");
      return true;
    }
    return Redis{}.ask("BLPOP never 20") == "error";
  });
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 5s);
}

/// A server of the test's own.
class OwnServer {
 public:
  explicit OwnServer(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    ::posix_spawn_file_actions_init(&quiet);
    int input[2];
    if (::pipe2(input, O_CLOEXEC) != 0) return;
    input_ = input[1];  // a server may end a connection at the end of its input
    ::posix_spawn_file_actions_adddup2(&quiet, input[0], 0);
    for (const int output : {1, 2}) {
      ::posix_spawn_file_actions_addopen(&quiet, output, "/dev/null", O_WRONLY, 0);
    }
    ::posix_spawnp(&process_, words[0].c_str(), &quiet, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&quiet);
    ::close(input[0]);
  }
  ~OwnServer() {
    ::close(input_);
    if (process_ <= 0) return;
    kill();
    ::waitpid(process_, nullptr, 0);
  }
  OwnServer(const OwnServer&) = delete;
  OwnServer& operator=(const OwnServer&) = delete;
  void kill() const { ::kill(process_, SIGKILL); }

 private:
  pid_t process_ = -1;
  int input_ = -1;
};

std::string free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return std::to_string(ntohs(address.sin_port));
}

TEST_F(RealTimeServicesTest, ARedisThatIsKilledEndsAllCalls) {
  const std::string name = free_port();
  const int port = std::stoi(name);
  const OwnServer server{{"redis-server", "--port", name, "--bind", "127.0.0.1", "--save", "",
                          "--logfile", "/dev/null"}};
  for (int i = 0; i < 200 && Redis{port}.ask("PING") != "PONG"; ++i) ::usleep(20'000);
  int waiting = 0;
  const Done done = all_at_once([&](int i) {
    if (i == 0) {
      while (waiting < many - 1) weft::delay(5ms);
      weft::delay(20ms);
      server.kill();
      return true;
    }
    Redis redis{port};
    const bool is_connected = redis.ask("PING") == "PONG";
    ++waiting;
    return is_connected && redis.ask("BLPOP never 20") == "error";
  });
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 10s);
}

TEST_F(RealTimeServicesTest, ConnectionsThatMariaDbKillsEndTheirQueries) {
  std::vector<MYSQL*> connections;
  const auto port = static_cast<unsigned>(std::atoi(std::getenv("WEFT_MARIADB_PORT")));
  for (int i = 0; i < many; ++i) {
    connections.push_back(mysql_init(nullptr));
    ASSERT_NE(mysql_real_connect(connections.back(), "127.0.0.1", "root", nullptr, nullptr, port,
                                 nullptr, 0),
              nullptr)
        << mysql_error(connections.back());
  }
  const Done done = all_at_once([&](int i) {
    MYSQL* const connection = connections[static_cast<std::size_t>(i)];
    if (i != 0) return mysql_query(connection, "select sleep(20)") != 0;
    weft::delay(200ms);
    bool good = true;
    for (int other = 1; other < many; ++other) {
      const unsigned long id = mysql_thread_id(connections[static_cast<std::size_t>(other)]);
      good = mysql_query(connection, ("kill " + std::to_string(id)).c_str()) == 0 && good;
    }
    return good;
  });
  for (MYSQL* connection : connections) mysql_close(connection);
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 10s);
}

TEST_F(RealTimeServicesTest, AMariaDbThatIsKilledInTheMiddleOfQueriesHangsNoCoroutine) {
  const weft_test::TemporaryDirectory directory;
  const std::string name = free_port();
  const auto port = static_cast<unsigned>(std::stoi(name));
  std::filesystem::create_directory(directory / "data");
  const OwnServer server{{"mariadbd", "--no-defaults", "--user=root", "--skip-grant-tables",
                          "--datadir=" + (directory / "data"), "--port=" + name,
                          "--bind-address=127.0.0.1", "--socket=" + (directory / "socket"),
                          "--pid-file=" + (directory / "pid")}};
  const auto connect = [port]() -> MYSQL* {
    MYSQL* const made = mysql_init(nullptr);
    if (mysql_real_connect(made, "127.0.0.1", "root", nullptr, nullptr, port, nullptr, 0)) {
      return made;
    }
    mysql_close(made);
    return nullptr;
  };
  std::vector<MYSQL*> connections;
  for (int i = 0; i < 600 && connections.empty(); ++i) {
    if (MYSQL* const made = connect()) connections.push_back(made);
    ::usleep(20'000);
  }
  ASSERT_EQ(connections.size(), 1U) << "the server did not start";
  while (connections.size() < many) connections.push_back(connect());
  const Done done = all_at_once([&](int i) {
    if (i != 0) return mysql_query(connections[static_cast<std::size_t>(i)], "do sleep(20)") != 0;
    weft::delay(200ms);
    server.kill();
    return true;
  });
  for (MYSQL* connection : connections) mysql_close(connection);
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 10s);
}

int connect_to(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return socket;
  ::close(socket);
  return -1;
}

// The server talks to one client; the others wait for their handshake.
TEST_F(RealTimeServicesTest, ATlsServerThatIsKilledEndsReadsAndHandshakes) {
  weft_test::Certificates certificates;
  const auto files = certificates.issue({.name = "localhost"});
  const std::string port = free_port();
  const OwnServer server{{"openssl", "s_server", "-accept", "127.0.0.1:" + port, "-cert",
                          files.certificate, "-key", files.key, "-quiet"}};
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context{SSL_CTX_new(TLS_client_method()),
                                                                  &SSL_CTX_free};
  std::vector<int> sockets;
  for (int i = 0; i < 600 && sockets.size() < many; ++i) {
    const int socket = connect_to(std::stoi(port));
    if (socket >= 0) sockets.push_back(socket);
    if (socket < 0) ::usleep(20'000);
  }
  ASSERT_EQ(sockets.size(), std::size_t{many}) << "the server did not start";
  int connected = 0;
  const Done done = all_at_once([&](int i) {
    const int socket = sockets[static_cast<std::size_t>(i)];
    if (i == many - 1) {
      while (connected == 0) weft::delay(5ms);
      weft::delay(100ms);
      server.kill();
      ::close(socket);
      return true;
    }
    const std::unique_ptr<SSL, decltype(&SSL_free)> tls{SSL_new(context.get()), &SSL_free};
    SSL_set_fd(tls.get(), socket);
    bool has_failed = SSL_connect(tls.get()) != 1;
    if (!has_failed) {
      ++connected;
      char byte = 0;
      has_failed = SSL_read(tls.get(), &byte, 1) <= 0;
    }
    ::close(socket);
    return has_failed;
  });
  EXPECT_EQ(connected, 1);
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 10s);
}

TEST_F(RealTimeServicesTest, AnNginxWhoseWorkerIsKilledEndsAllTransfers) {
  pid_t server = 0;
  std::ifstream{std::getenv("WEFT_NGINX_PID")} >> server;
  const std::string path = "/proc/" + std::to_string(server) + "/task/" + std::to_string(server);
  pid_t worker = 0;
  std::ifstream{path + "/children"} >> worker;
  ASSERT_GT(worker, 0);
  const Done done = all_at_once([&](int i) {
    if (i != 0) return fetch("/slow/large.txt") == "error";  // takes twenty seconds
    weft::delay(200ms);
    return ::kill(worker, SIGKILL) == 0;
  });
  EXPECT_EQ(done.right, many);
  EXPECT_LT(done.took, 10s);
  for (int i = 0; i < 200 && fetch("/hello.txt") == "error"; ++i) ::usleep(20'000);  // it recovers
  EXPECT_EQ(fetch("/hello.txt"), "hello from nginx\n");
}

}  // namespace
