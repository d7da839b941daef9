#include "io/accept.hpp"

#include <cerrno>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

// accept(2), "Error handling": an error of one connection must not end the listener, and accept
// must not be repeated for ever after an error of the listener.
namespace {

using weft::is_gone_again;

TEST(AcceptTest, ErrorsOfAConnectionAreThoseOfTheManual) {
  weft::testing::run([] {
    const weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    const int number = listener.io().descriptor();
    for (const int error : {ECONNABORTED, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET,
                            EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, ETIMEDOUT}) {
      EXPECT_TRUE(is_gone_again(number, error)) << error;
    }
    for (const int error :
         {EBADF, EINVAL, ENOTSOCK, EFAULT, EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM, EACCES}) {
      EXPECT_FALSE(is_gone_again(number, error)) << error;
    }
  });
}

TEST(AcceptTest, APeerOfAnUnknownFamilyHasNoAddress) {
  sockaddr_storage unknown{};
  unknown.ss_family = 250;
  const auto* const raw = reinterpret_cast<const sockaddr*>(&unknown);
  EXPECT_EQ(weft::peer_address(raw, sizeof unknown).family(), weft::Address::Family::none);
  EXPECT_EQ(weft::peer_address(raw, 0).family(), weft::Address::Family::none);
}

// trap 60: accept is repeated for ever
TEST(AcceptTest, ASocketThatCannotListenIsAnError) {
  weft::testing::run([] {
    weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
    socket.send_to("wakes it", socket.local_address());
    weft::Address peer;
    const auto error = weft_test::error_of([&] { socket.io().accept(peer); });
    EXPECT_EQ(weft_test::code_of(error), EOPNOTSUPP);
  });
}

}  // namespace
