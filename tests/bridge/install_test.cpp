#include <algorithm>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "foreign/calls.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Bridged;

const weft::bridge::Report::Object* find(const weft::bridge::Report& report,
                                         std::string_view name) {
  for (const auto& object : report.objects) {
    if (object.name.find(name) != std::string::npos) return &object;
  }
  return nullptr;
}

/// Whether two sleeps of a foreign library overlap, on a clock that jumps.
bool is_bridged(int (*sleep)(useconds_t) = &foreign::usleep) {
  bool overlap = false;
  weft::testing::run([&] {
    const auto start = weft::now();
    auto one = weft::spawn([&] { sleep(20'000); });
    auto two = weft::spawn([&] { sleep(20'000); });
    weft::await(one);
    weft::await(two);
    const auto passed = weft::now() - start;
    overlap = passed >= 20ms && passed < 40ms;
  });
  return overlap;
}

TEST(BridgeInstallTest, IsOffUntilItIsInstalledAndAfterItWasUninstalled) {
  EXPECT_FALSE(weft::bridge::is_installed());
  EXPECT_FALSE(is_bridged());
  {
    const Bridged bridged;
    EXPECT_TRUE(weft::bridge::is_installed());
    EXPECT_TRUE(is_bridged());
  }
  EXPECT_FALSE(weft::bridge::is_installed());
  EXPECT_FALSE(is_bridged());
  EXPECT_EQ(weft::bridge::report().slots(), 0U);
}

TEST(BridgeInstallTest, ReportsObjectsAndCalls) {
  const Bridged bridged;
  const weft::bridge::Report report = weft::bridge::report();
  const auto* const foreign = find(report, "libweft_foreign_calls");
  ASSERT_NE(foreign, nullptr) << report.text();
  for (const char* const call : {"poll", "recv", "usleep", "waitpid", "getaddrinfo", "flock"}) {
    EXPECT_NE(std::find(foreign->calls.begin(), foreign->calls.end(), call), foreign->calls.end())
        << call;
  }
  EXPECT_GE(report.slots(), foreign->calls.size());
  EXPECT_NE(report.text().find("libweft_foreign_calls"), std::string::npos);
}

// trap 42
TEST(BridgeInstallTest, LeavesAloneWhatItStandsOn) {
  const Bridged bridged;
  const weft::bridge::Report report = weft::bridge::report();
  for (const char* const name :
       {"libc.so", "ld-linux", "libuv", "libresolv", "libstdc++", "libgcc"}) {
    EXPECT_EQ(find(report, name), nullptr) << name;
  }
}

TEST(BridgeInstallTest, LeavesAloneWhatTheProgramNames) {
  const Bridged bridged{{.leave_alone = {"libweft_foreign"}}};
  EXPECT_EQ(find(weft::bridge::report(), "libweft_foreign"), nullptr);
  EXPECT_FALSE(is_bridged());
}

TEST(BridgeInstallTest, BridgesOnlyTheFamiliesThatAreWanted) {
  const Bridged bridged{{.families = weft::bridge::waiting}};
  EXPECT_FALSE(is_bridged());
  const auto report = weft::bridge::report();
  const auto* const foreign = find(report, "libweft_foreign_calls");
  ASSERT_NE(foreign, nullptr);
  EXPECT_EQ(std::count(foreign->calls.begin(), foreign->calls.end(), "usleep"), 0);
  EXPECT_EQ(std::count(foreign->calls.begin(), foreign->calls.end(), "poll"), 1);
}

// trap 43
TEST(BridgeInstallTest, PatchesPointersThatTheLoaderHasStored) {
  const auto before = foreign::stored_receive();
  {
    const Bridged bridged;
    EXPECT_NE(foreign::stored_receive(), before);
  }
  EXPECT_EQ(foreign::stored_receive(), before);
}

// trap 43
TEST(BridgeInstallTest, PatchesWhatDlopenLoadsLater) {
  const Bridged bridged;
  void* const late = foreign::dlopen(WEFT_FOREIGN_LATE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(late, nullptr) << ::dlerror();
  const auto sleep = reinterpret_cast<int (*)(useconds_t)>(::dlsym(late, "late_usleep"));
  ASSERT_NE(sleep, nullptr);
  EXPECT_TRUE(is_bridged(sleep));
  EXPECT_NE(find(weft::bridge::report(), "libweft_foreign_late"), nullptr);
  ::dlclose(late);
  EXPECT_EQ(weft::bridge::rescan(), 0U);
  EXPECT_EQ(find(weft::bridge::report(), "libweft_foreign_late"), nullptr);
}

TEST(BridgeInstallTest, RescanPatchesWhatWasLoadedUnseen) {
  const Bridged bridged{{.leave_alone = {}, .program = false}};
  void* const late = ::dlopen(WEFT_FOREIGN_LATE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(late, nullptr);
  const auto sleep = reinterpret_cast<int (*)(useconds_t)>(::dlsym(late, "late_usleep"));
  EXPECT_FALSE(is_bridged(sleep));
  EXPECT_EQ(weft::bridge::rescan(), 1U);
  EXPECT_TRUE(is_bridged(sleep));
  ::dlclose(late);
}

bool late_is_bridged(void* late) {
  return late != nullptr &&
         is_bridged(reinterpret_cast<int (*)(useconds_t)>(::dlsym(late, "late_usleep")));
}

// trap 43
TEST(BridgeInstallTest, PatchesWhatIsLoadedAgain) {
  const Bridged bridged;
  for (int i = 0; i < 3; ++i) {
    void* const late = foreign::dlopen(WEFT_FOREIGN_LATE, RTLD_NOW | RTLD_LOCAL);
    EXPECT_TRUE(late_is_bridged(late));
    foreign::dlclose(late);
    EXPECT_EQ(find(weft::bridge::report(), "libweft_foreign_late"), nullptr);
  }
}

TEST(BridgeInstallTest, RescanPatchesWhatWasUnloadedAndLoadedAgainUnseen) {
  const Bridged bridged{{.leave_alone = {}, .program = false}};
  for (int i = 0; i < 3; ++i) {
    void* const late = ::dlopen(WEFT_FOREIGN_LATE, RTLD_NOW | RTLD_LOCAL);
    EXPECT_EQ(weft::bridge::rescan(), 1U);
    EXPECT_TRUE(late_is_bridged(late));
    ::dlclose(late);
  }
}

// trap 44
TEST(BridgeInstallTest, LeavesAloneSlotsThatCannotBeWritten) {
  const Bridged bridged;
  void* const odd = foreign::dlopen(WEFT_FOREIGN_TEXT, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(odd, nullptr) << ::dlerror();
  const auto sleep = reinterpret_cast<int (*)(useconds_t)>(::dlsym(odd, "text_usleep"));
  EXPECT_TRUE(is_bridged(sleep));
  const weft::bridge::Report report = weft::bridge::report();
  const auto* const object = find(report, "libweft_foreign_text");
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(std::count(object->calls.begin(), object->calls.end(), "usleep"), 1);
  EXPECT_EQ(std::count(object->calls.begin(), object->calls.end(), "poll"), 0);
  foreign::dlclose(odd);
}

TEST(BridgeInstallTest, TheSecondCallSelectsTheFamiliesOfWhatIsLoadedLater) {
  const Bridged bridged{{.families = weft::bridge::waiting}};
  weft::bridge::install({.families = weft::bridge::sleeping});
  void* const late = foreign::dlopen(WEFT_FOREIGN_LATE, RTLD_NOW | RTLD_LOCAL);
  EXPECT_TRUE(late_is_bridged(late));
  EXPECT_FALSE(is_bridged());
  foreign::dlclose(late);
}

TEST(BridgeInstallTest, InstallingTwiceChangesNothingMore) {
  const Bridged bridged;
  const std::size_t slots = weft::bridge::report().slots();
  weft::bridge::install();
  EXPECT_EQ(weft::bridge::report().slots(), slots);
  EXPECT_TRUE(is_bridged());
}

TEST(BridgeInstallTest, WhatIsKnownOfADescriptorEndsWithTheInstallation) {
  weft::testing::run([&] {
    weft_test::Ends first = weft_test::blocking(weft_test::Ends::sockets());
    const int number = first.here.get();
    char byte = 0;
    {
      const Bridged bridged;
      auto reader = weft::spawn([&] { EXPECT_EQ(foreign::recv(number, &byte, 1, 0), 1); });
      weft::testing::settle();
      weft_test::put(first.there.get(), "x");
      weft::await(reader);
    }
    first.here.reset();
    const weft_test::Ends second = weft_test::Ends::sockets();
    ASSERT_EQ(second.here.get(), number);
    const Bridged again;
    ssize_t got = 0;
    auto reader = weft::spawn([&] { got = foreign::recv(number, &byte, 1, 0); });
    weft::testing::settle();
    EXPECT_EQ(got, -1);  // the next file does not block
    weft_test::put(second.there.get(), "y");
    weft::await(reader);
  });
}

TEST(RealTimeBridgeInstall, ThreadsLoadAndUnloadLibrariesAtTheSameTime) {
  const Bridged bridged;
  const auto load_again_and_again = [](const char* name) {
    for (int i = 0; i < 1'000; ++i) {
      void* const loaded = foreign::dlopen(name, RTLD_NOW | RTLD_LOCAL);
      ASSERT_NE(loaded, nullptr) << ::dlerror();
      ASSERT_EQ(foreign::dlclose(loaded), 0);
    }
  };
  std::thread one{[&] { load_again_and_again(WEFT_FOREIGN_LATE); }};
  std::thread two{[&] { load_again_and_again(WEFT_FOREIGN_TEXT); }};
  one.join();
  two.join();
}

}  // namespace
