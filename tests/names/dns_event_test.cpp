#include "weft/extend/dns_event.hpp"

#include <algorithm>
#include <netdb.h>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "held_lookups.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft::Address;
using weft::AddressLookup;
using weft::NameLookup;
using weft_test::Call;
using weft_test::HeldLookups;
using weft_test::Log;

const Address local = Address::parse("127.0.0.1", 80);

// R-DNS-1, R-EVT-1
TEST(DnsEvent, FindsTheAddressesOfAName) {
  weft::testing::run([] {
    AddressLookup lookup{"localhost", "80"};
    weft::await(lookup);
    const std::vector<Address> addresses = lookup.take();
    EXPECT_THAT(addresses, ::testing::Contains(local));
    for (const Address& address : addresses) {
      EXPECT_EQ(std::count(addresses.begin(), addresses.end(), address), 1) << address.to_string();
    }
  });
}

// R-DNS-1
TEST(DnsEvent, KnowsServicesByName) {
  weft::testing::run([] {
    AddressLookup lookup{"127.0.0.1", "http"};
    weft::await(lookup);
    EXPECT_EQ(lookup.take(), (std::vector<Address>{local}));
  });
}

// R-DNS-1
TEST(DnsEvent, AnEmptyHostIsThisMachine) {
  weft::testing::run([] {
    AddressLookup with_service{"", "80"};
    AddressLookup with_nothing{"", ""};
    weft::await(with_service);
    weft::await(with_nothing);
    EXPECT_THAT(with_service.take(), ::testing::Contains(local));
    EXPECT_THAT(with_nothing.take(), ::testing::Contains(local.with_port(0)));
  });
}

// R-DNS-1, R-DNS-4
TEST(DnsEvent, FindsTheNameOfAnAddressAndKeepsIt) {
  weft::testing::run([] {
    NameLookup lookup{local};
    EXPECT_EQ(lookup.host(), "");
    weft::await(lookup);
    EXPECT_EQ(lookup.host(), "localhost");
    EXPECT_EQ(lookup.service(), "http");
    EXPECT_EQ(lookup.host(), "localhost") << "the event owns it";
    EXPECT_EQ(lookup.address(), local);
  });
}

// R-DNS-2
TEST(DnsEvent, IsSubmittedWhenItIsMade) {
  HeldLookups held;
  weft::run([&] {
    AddressLookup lookup{"a.held", "80"};
    NameLookup name{Address::parse("127.0.0.99", 80)};
    held.wait_until_taken(2);  // although no coroutine waits for them
    EXPECT_EQ(lookup.loop_references(), 0U);
    held.release();
    weft::await(lookup);
    weft::await(name);
    EXPECT_THAT(lookup.take(), ::testing::Contains(local));
    EXPECT_EQ(name.service(), "http");
  });
}

// R-DNS-2, R-HID-1
TEST(DnsEvent, StartAndStopOnlyAdjustTheCounts) {
  HeldLookups held;
  weft::run([&] {
    AddressLookup lookup{"a.held", ""};
    NameLookup name{Address::parse("127.0.0.99", 0)};
    held.wait_until_taken(2);
    EXPECT_EQ(weft::stats().active_events, 0U);
    for (weft::Event* event :
         {static_cast<weft::Event*>(&lookup), static_cast<weft::Event*>(&name)}) {
      EXPECT_TRUE(event->start());
      EXPECT_TRUE(event->start());
      EXPECT_EQ(weft::stats().active_events, 1U);
      event->stop();
      EXPECT_EQ(weft::stats().active_events, 1U);
      event->stop();
      event->stop();
      EXPECT_EQ(weft::stats().active_events, 0U);
      event->set_hidden(true);
      event->start();
      EXPECT_EQ(weft::stats().active_events, 0U) << "hidden";
      event->set_hidden(false);
      EXPECT_EQ(weft::stats().active_events, 1U);
      event->stop();
    }
    held.release();
    weft::await(lookup);
    weft::await(name);
    EXPECT_FALSE(lookup.take().empty()) << "stopping took nothing away";
    EXPECT_EQ(held.taken(), 2U) << "starting again did not submit it again";
  });
}

// R-DNS-2, R-LIFE-3, R-LIFE-6
TEST(DnsEvent, ClosesBeforeItNotifies) {
  weft::testing::run([] {
    AddressLookup lookup{"localhost", ""};
    NameLookup name{local};
    Log log;
    Call call{[&](weft::Event& event, const weft::Outcome& outcome) {
      log.push_back(event.is_closed() && outcome.error() == nullptr ? "closed" : "open");
      EXPECT_EQ(event.loop_references(), 0U);
    }};
    Call other{[&](weft::Event& event, const weft::Outcome&) {
      log.push_back(event.is_closed() ? "closed" : "open");
    }};
    lookup.add_callback(call);
    name.add_callback(other);
    weft::await(lookup);
    weft::await(name);
    EXPECT_EQ(log, (Log{"closed", "closed"}));
    EXPECT_FALSE(lookup.add_callback(other));
    lookup.remove_callback(call);
    name.remove_callback(other);
  });
}

// R-DNS-2, R-EVT-14
TEST(DnsEvent, ALateAwaitGetsTheSameOutcome) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        AddressLookup good{"localhost", ""};
        AddressLookup bad{"localhost", "no-such-service"};
        weft::await(good);
        EXPECT_THROW(weft::await(bad), weft::DnsError);
        weft::await(good);
        EXPECT_THROW(weft::await(bad), weft::DnsError);
        EXPECT_TRUE(good.start());
        EXPECT_EQ(weft::stats().active_events, 0U);
      },
      weft_test::collecting(warnings));
  EXPECT_THAT(warnings, ::testing::IsEmpty());
}

// R-DNS-3
TEST(DnsEvent, AFailureNamesWhatWasLookedUp) {
  weft::testing::run([] {
    AddressLookup lookup{"localhost", "no-such-service"};
    try {
      weft::await(lookup);
      ADD_FAILURE() << "no error";
    } catch (const weft::DnsError& error) {
      EXPECT_EQ(error.code(), (std::error_code{EAI_SERVICE, weft::dns_category()}));
      EXPECT_EQ(std::string{error.what()}, std::string{"DNS error: "} + gai_strerror(EAI_SERVICE) +
                                               " (localhost:no-such-service)");
      EXPECT_STREQ(error.name(), "localhost:no-such-service");
      static_assert(std::is_nothrow_copy_constructible_v<weft::DnsError>);
    }
    EXPECT_TRUE(lookup.take().empty());
  });
}

// R-DNS-3, R-KIND-4
TEST(DnsEvent, WhatCannotBeANameFailsAtOnce) {
  weft::testing::run([] {
    EXPECT_THROW((AddressLookup{std::string{"a\0b", 3}, ""}), weft::DnsError);
    EXPECT_THROW((AddressLookup{"localhost", std::string{"8\0000", 3}}), weft::DnsError);
    EXPECT_THROW((AddressLookup{std::string(5'000, 'x'), ""}), weft::DnsError);
    EXPECT_THROW(NameLookup{Address::unix_path("/tmp/x")}, weft::ValueError);
    EXPECT_THROW(NameLookup{Address{}}, weft::ValueError);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-KIND-3
TEST(DnsEvent, NeedsARuntime) {
  EXPECT_THROW((AddressLookup{"localhost", ""}), weft::MisuseError);
  EXPECT_THROW(NameLookup{local}, weft::MisuseError);
}

// R-DNS-4: the leak checker of the sanitizers would report a leak.
TEST(DnsEvent, TheResultBelongsToItsTakerOrGoesWithTheEvent) {
  weft::testing::run([] {
    AddressLookup lookup{"localhost", ""};
    EXPECT_TRUE(lookup.take().empty()) << "not there yet";
    weft::await(lookup);
    EXPECT_FALSE(lookup.take().empty());
    EXPECT_TRUE(lookup.take().empty()) << "given away";
    AddressLookup untaken{"localhost", ""};
    weft::await(untaken);
  });
}

// R-DNS-5, trap 16
TEST(DnsEvent, MayGoWhileAWorkerHasIt) {
  const auto before = weft::testing::probe_count("lookup comes back after its event was dropped");
  const auto before_name =
      weft::testing::probe_count("reverse lookup comes back after its event was dropped");
  HeldLookups held;
  weft::run([&] {
    {
      AddressLookup lookup{"a.held", ""};
      NameLookup name{Address::parse("127.0.0.99", 0)};
      held.wait_until_taken(2);
    }
    EXPECT_EQ(weft::stats().active_events, 0U);
    held.release();
  });
  EXPECT_EQ(weft::testing::probe_count("lookup comes back after its event was dropped"),
            before + 1);
  EXPECT_EQ(weft::testing::probe_count("reverse lookup comes back after its event was dropped"),
            before_name + 1);
}

// R-DNS-5, trap 16
TEST(DnsEvent, OneThatNoWorkerHasTakenNeverRuns) {
  HeldLookups held;
  weft::run([&] {
    // libuv uses at most two of its four threads for slow work.
    AddressLookup first{"1.held", ""};
    AddressLookup second{"2.held", ""};
    held.wait_until_taken(2);
    {
      AddressLookup third{"3.held", ""};
      NameLookup fourth{Address::parse("127.0.0.99", 0)};
    }
    held.release();
    weft::await(first);
    weft::await(second);
  });
  EXPECT_EQ(held.taken(), 2U);
}

// R-DNS-5, R-RC-6
TEST(DnsEvent, ACallbackMayDropTheLastReference) {
  weft::run([] {
    auto lookup = weft::make_ref<AddressLookup>("localhost", "");
    weft::Trigger notified;
    Call call{[&](weft::Event&, const weft::Outcome&) {
      lookup = nullptr;
      notified.fire();
    }};
    lookup->add_callback(call);
    lookup->start();
    weft::await(notified);
    EXPECT_FALSE(lookup);
  });
}

// R-DNS-5: the runtime ends while a lookup is armed and a worker has it.
TEST(DnsEvent, MayOutliveItsRuntime) {
  HeldLookups held;
  weft::Ref<AddressLookup> lookup;
  weft::run([&] {
    lookup = weft::make_ref<AddressLookup>("a.held", "");
    lookup->set_hidden(true);
    lookup->start();
    held.wait_until_taken(1);
    held.release();
  });
  EXPECT_EQ(lookup->loop_references(), 0U);
}

// R-HID-1, R-DLK-1
TEST(DnsEvent, OneThatIsAwaitedIsNoDeadlock) {
  HeldLookups held;
  weft::run([&] {
    AddressLookup lookup{"a.held", ""};
    auto waiter = weft::spawn([&] { weft::await(lookup); });
    weft::suspend();
    EXPECT_EQ(weft::stats().active_events, 1U);
    held.wait_until_taken(1);
    held.release();
    weft::await(waiter);
  });
}

// A virtual clock does not jump while a worker works: the lookup takes real time.
TEST(DnsEvent, VirtualTimeWaitsForIt) {
  HeldLookups held;
  weft::testing::run([&] {
    AddressLookup lookup{"a.held", ""};
    auto waiter = weft::spawn([&] {
      weft::Timeout limit{1ms};
      weft::await(lookup, limit);
    });
    weft::testing::settle();
    held.wait_until_taken(1);
    held.release();
    EXPECT_NO_THROW(weft::await(waiter));
  });
}

// R-OBS-3
TEST(DnsEvent, DescribesItself) {
  weft::testing::run([] {
    AddressLookup lookup{"localhost", "80"};
    NameLookup name{local};
    EXPECT_EQ(lookup.info(), "DNSAddrInfo(node=localhost, service=80)");
    EXPECT_EQ(name.info(), "DNSNameInfo");
    EXPECT_EQ(lookup.host(), "localhost");
    EXPECT_EQ(lookup.service(), "80");
  });
}

}  // namespace
