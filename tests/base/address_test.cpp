#include "weft/address.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <unordered_set>

#include <gtest/gtest.h>

#include "weft/error.hpp"

namespace {

using weft::Address;

int error_of(const std::string& path) {
  try {
    static_cast<void>(Address::unix_path(path));
  } catch (const std::system_error& error) {
    return error.code().value();
  }
  return 0;
}

/// The address that the kernel gives back for a socket bound to `address`.
Address bound_to(const Address& address, int family) {
  const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_GE(socket, 0);
  EXPECT_EQ(::bind(socket, static_cast<const sockaddr*>(address.native()),
                   static_cast<socklen_t>(address.native_size())),
            0)
      << std::strerror(errno);
  sockaddr_storage native{};
  socklen_t size = sizeof native;
  EXPECT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&native), &size), 0);
  ::close(socket);
  return Address::from_native(&native, size);
}

TEST(AddressTest, ReadsAddressesInDigits) {
  const Address four = Address::parse("127.0.0.1", 80);
  EXPECT_EQ(four.family(), Address::Family::ipv4);
  EXPECT_EQ(four.host(), "127.0.0.1");
  EXPECT_EQ(four.port(), 80);
  EXPECT_EQ(four.to_string(), "127.0.0.1:80");
  const Address six = Address::parse("2001:DB8:0:0::1", 65535);
  EXPECT_EQ(six.family(), Address::Family::ipv6);
  EXPECT_EQ(six.host(), "2001:db8::1");
  EXPECT_EQ(six.to_string(), "[2001:db8::1]:65535");
}

TEST(AddressTest, KeepsTheInterfaceOfALinkLocalAddress) {
  EXPECT_EQ(Address::parse("fe80::1%lo", 1).host(), "fe80::1%lo");
  EXPECT_EQ(Address::parse("fe80::1%1", 1), Address::parse("fe80::1%lo", 1));
  EXPECT_NE(Address::parse("fe80::1%lo", 1), Address::parse("fe80::1", 1));
  EXPECT_FALSE(Address::try_parse("fe80::1%no-such-interface", 1));
}

TEST(AddressTest, RefusesWhatIsNoAddressInDigits) {
  for (const std::string text :
       {"", "localhost", "127.1", "127.0.0.256", " 127.0.0.1", "::1::", "[::1]", "127.0.0.1:80"}) {
    EXPECT_FALSE(Address::try_parse(text, 1)) << text;
    EXPECT_THROW(static_cast<void>(Address::parse(text, 1)), weft::ValueError) << text;
  }
  EXPECT_FALSE(Address::try_parse(std::string("127.0.0.1\0x", 11), 1));
  EXPECT_FALSE(Address::try_parse(std::string(1000, '1'), 1));
}

TEST(AddressTest, NamesUnixSockets) {
  const Address path = Address::unix_path("/run/app.sock");
  EXPECT_EQ(path.family(), Address::Family::unix_path);
  EXPECT_EQ(path.host(), "/run/app.sock");
  EXPECT_EQ(path.port(), 0);
  EXPECT_EQ(path.to_string(), "/run/app.sock");
  const std::string abstract{"\0name", 5};
  EXPECT_EQ(Address::unix_path(abstract).host(), abstract);
  EXPECT_EQ(Address::unix_path(abstract).to_string(), "@name");
}

TEST(AddressTest, RefusesPathsThatCannotBeASocket) {
  EXPECT_EQ(error_of(""), ENOENT);
  EXPECT_EQ(error_of(std::string("a\0b", 3)), EINVAL);
  EXPECT_EQ(error_of(std::string(107, 'x')), 0);
  EXPECT_EQ(error_of(std::string(108, 'x')), ENAMETOOLONG);
  EXPECT_EQ(error_of('\0' + std::string(107, 'x')), 0);
  EXPECT_EQ(error_of('\0' + std::string(108, 'x')), ENAMETOOLONG);
}

TEST(AddressTest, ComesBackFromTheKernelAsItWas) {
  const Address four = bound_to(Address::parse("127.0.0.1", 0), AF_INET);
  EXPECT_NE(four.port(), 0);
  EXPECT_EQ(four.with_port(0), Address::parse("127.0.0.1", 0));
  const std::string abstract{"\0weft.address.test", 18};
  EXPECT_EQ(bound_to(Address::unix_path(abstract), AF_UNIX), Address::unix_path(abstract));
  char directory[] = "/tmp/weft-address-XXXXXX";
  ASSERT_NE(::mkdtemp(directory), nullptr);
  const std::string path = std::string{directory} + "/socket";
  EXPECT_EQ(bound_to(Address::unix_path(path), AF_UNIX), Address::unix_path(path));
  ::unlink(path.c_str());
  ::rmdir(directory);
}

TEST(AddressTest, KnowsAnUnnamedUnixSocket) {
  sockaddr_un unnamed{};
  unnamed.sun_family = AF_UNIX;
  const Address address = Address::from_native(&unnamed, offsetof(sockaddr_un, sun_path));
  EXPECT_EQ(address.family(), Address::Family::unix_path);
  EXPECT_EQ(address.host(), "");
  EXPECT_EQ(address.to_string(), "unnamed unix socket");
}

TEST(AddressTest, RefusesAForeignFamilyAndAShortAddress) {
  sockaddr_in native{};
  native.sin_family = AF_INET;
  EXPECT_NO_THROW(static_cast<void>(Address::from_native(&native, sizeof native)));
  EXPECT_THROW(static_cast<void>(Address::from_native(&native, 4)), weft::ValueError);
  native.sin_family = AF_MAX;
  EXPECT_THROW(static_cast<void>(Address::from_native(&native, sizeof native)), weft::ValueError);
}

TEST(AddressTest, ComparesByWhatItNames) {
  sockaddr_in native{};
  native.sin_family = AF_INET;
  native.sin_port = htons(80);
  native.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  native.sin_zero[0] = 1;  // padding is ignored
  const Address address = Address::from_native(&native, sizeof native);
  EXPECT_EQ(address, Address::parse("127.0.0.1", 80));
  EXPECT_NE(address, Address::parse("127.0.0.1", 81));
  EXPECT_NE(address, Address::parse("127.0.0.2", 80));
  EXPECT_NE(Address::parse("::", 80), Address::parse("0.0.0.0", 80));
  const std::unordered_set<Address> set{address, Address::parse("127.0.0.1", 80)};
  EXPECT_EQ(set.size(), 1U);
}

TEST(AddressTest, IsNowhereWhenMadeOfNothing) {
  const Address nowhere;
  EXPECT_EQ(nowhere.family(), Address::Family::none);
  EXPECT_EQ(nowhere.host(), "");
  EXPECT_EQ(nowhere.port(), 0);
  EXPECT_EQ(nowhere.to_string(), "nowhere");
  EXPECT_EQ(nowhere.with_port(1), Address{});
}

}  // namespace
