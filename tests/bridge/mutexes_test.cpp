#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "failures.hpp"
#include "foreign/calls.hpp"
#include "foreign/locked.hpp"
#include "support.hpp"

// trap 50
namespace {

using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::put;

class BridgeMutexTest : public ::testing::Test {
 protected:
  /// Runs `body` with the warnings collected.
  template <class F>
  void run(F body) {
    weft::testing::run(body, weft_test::collecting(warnings));
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  std::vector<std::string> warnings;

 private:
  Bridged bridged_{{.detect_locks = true}};
};

TEST_F(BridgeMutexTest, AWaitWithAMutexIsReportedWithTheCoroutineAndThePlace) {
  run([&] {
    const Ends ends = blocking(Ends::sockets());
    char byte = 0;
    auto holder = weft::spawn({.name = "holder"},
                              [&] { EXPECT_EQ(locked::receive(ends.here.get(), &byte), 1); });
    weft::testing::settle();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_TRUE(has(warnings[0], "coroutine " + std::to_string(holder.id()) + " 'holder'"));
    EXPECT_TRUE(has(warnings[0], "recv()")) << warnings[0];
    EXPECT_TRUE(has(warnings[0], "libweft_foreign_locked.so")) << warnings[0];
    EXPECT_TRUE(has(warnings[0], "receive")) << warnings[0];
    put(ends.there.get(), "x");
    weft::await(holder);
    // Once for each place.
    auto again = weft::spawn([&] { EXPECT_EQ(locked::receive(ends.here.get(), &byte), 1); });
    weft::testing::settle();
    put(ends.there.get(), "y");
    weft::await(again);
    EXPECT_EQ(warnings.size(), 1U);
  });
}

TEST_F(BridgeMutexTest, ASecondCoroutineIsReportedAndWaitsForTheHolder) {
  run([&] {
    const Ends one = blocking(Ends::sockets());
    const Ends two = blocking(Ends::sockets());
    char first = 0;
    char second = 0;
    auto holder = weft::spawn([&] { EXPECT_EQ(locked::receive(one.here.get(), &first), 1); });
    weft::testing::settle();
    auto other = weft::spawn([&] { EXPECT_EQ(locked::receive(two.here.get(), &second), 1); });
    weft::testing::settle();
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_TRUE(has(warnings[1], "coroutine " + std::to_string(other.id()))) << warnings[1];
    EXPECT_TRUE(has(warnings[1], "coroutine " + std::to_string(holder.id()))) << warnings[1];
    EXPECT_TRUE(has(warnings[1], "libweft_foreign_locked.so")) << warnings[1];
    put(two.there.get(), "b");
    weft::testing::settle();
    EXPECT_EQ(second, 0);  // the mutex is held, though the data is there
    EXPECT_FALSE(locked::try_touch());
    put(one.there.get(), "a");
    weft::await(holder);
    weft::await(other);
    EXPECT_EQ(first, 'a');
    EXPECT_EQ(second, 'b');
    EXPECT_TRUE(locked::try_touch());
  });
}

TEST_F(BridgeMutexTest, ARecursiveMutexIsNotEnteredByTwoCoroutines) {
  run([&] {
    const Ends one = blocking(Ends::sockets());
    const Ends two = blocking(Ends::sockets());
    char byte = 0;
    auto first =
        weft::spawn([&] { EXPECT_EQ(locked::receive_recursively(one.here.get(), &byte), 1); });
    weft::testing::settle();
    auto second =
        weft::spawn([&] { EXPECT_EQ(locked::receive_recursively(two.here.get(), &byte), 1); });
    put(two.there.get(), "b");
    weft::testing::settle();
    put(one.there.get(), "a");
    weft::await(first);
    weft::await(second);
  });
}

TEST_F(BridgeMutexTest, ACancelledCoroutineStillGetsTheMutexThatItWaitsFor) {
  run([&] {
    const Ends one = blocking(Ends::sockets());
    char byte = 0;
    bool was_inside = false;
    auto holder = weft::spawn([&] { EXPECT_EQ(locked::receive(one.here.get(), &byte), 1); });
    weft::testing::settle();
    auto other = weft::spawn([&] {
      locked::touch();
      was_inside = byte == 'a';
    });
    weft::testing::settle();
    other.cancel();
    weft::testing::settle();
    EXPECT_FALSE(was_inside);
    put(one.there.get(), "a");
    weft::await(holder);
    weft_test::error_of([&] { weft::await(other); });
    EXPECT_TRUE(was_inside);
  });
}

TEST_F(BridgeMutexTest, CallsThatNeverWaitDoNotLetOthersRunUnderAMutex) {
  run([&] {
    const Ends ends = blocking(Ends::sockets());
    bool other_ran = false;
    auto other = weft::spawn([&] { other_ran = true; });
    locked::hold();
    for (int i = 0; i < 300; ++i) {
      put(ends.there.get(), "x");
      char byte = 0;
      EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), 1);
    }
    EXPECT_FALSE(other_ran);
    locked::unlock_first();
    weft::await(other);
    EXPECT_TRUE(warnings.empty());
  });
}

TEST_F(BridgeMutexTest, AMutexThatWasUnlockedUnseenIsFree) {
  run([&] {
    locked::hold();
    weft::bridge::uninstall();
    locked::unlock_first();
    weft::bridge::install({.detect_locks = true});
    auto other = weft::spawn([&] { EXPECT_TRUE(locked::try_touch()); });
    weft::await(other);
    EXPECT_TRUE(warnings.empty());
  });
}

// trap 50
TEST_F(BridgeMutexTest, ACoroutineWaitsForAnInitialisationThatAnotherOneHasBegun) {
  run([&] {
    const Ends ends = blocking(Ends::sockets());
    char byte = 0;
    auto first = weft::spawn([&] { EXPECT_TRUE(locked::receive_once(ends.here.get(), &byte)); });
    weft::testing::settle();
    auto second = weft::spawn([&] { EXPECT_TRUE(locked::receive_once(ends.here.get(), &byte)); });
    weft::testing::settle();
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_TRUE(has(warnings[1], "pthread_once")) << warnings[1];
    put(ends.there.get(), "x");
    weft::await(first);
    weft::await(second);
    EXPECT_EQ(byte, 'x');
    EXPECT_TRUE(locked::receive_once(ends.here.get(), &byte));
  });
}

TEST_F(BridgeMutexTest, ACoroutineWaitsForAStaticVariableThatAnotherOneInitialises) {
  run([&] {
    const Ends ends = blocking(Ends::sockets());
    const auto get = [&] { EXPECT_EQ(locked::receive_into_static(ends.here.get()), 's'); };
    auto first = weft::spawn(get);
    weft::testing::settle();
    auto second = weft::spawn(get);
    weft::testing::settle();
    put(ends.there.get(), "s");
    weft::await(first);
    weft::await(second);
    get();
  });
}

TEST_F(BridgeMutexTest, AWriterWaitsForReadersThatWaitAndReadersForAWriter) {
  run([&] {
    const Ends one = blocking(Ends::sockets());
    const Ends two = blocking(Ends::sockets());
    const Ends three = blocking(Ends::sockets());
    const auto receive = [](auto* call, const Ends& ends) {
      return weft::spawn([call, &ends] {
        char byte = 0;
        EXPECT_EQ(call(ends.here.get(), &byte), 1);
      });
    };
    auto reader = receive(&locked::receive_shared, one);
    auto other_reader = receive(&locked::receive_shared, two);
    weft::testing::settle();
    auto writer = receive(&locked::receive_exclusively, three);
    weft::testing::settle();
    put(three.there.get(), "w");
    put(two.there.get(), "r");
    weft::await(other_reader);
    EXPECT_FALSE(writer.is_completed());
    put(one.there.get(), "r");
    weft::await(reader);
    weft::await(writer);
    auto next_writer = receive(&locked::receive_exclusively, three);
    weft::testing::settle();
    auto next_reader = receive(&locked::receive_shared, one);
    put(one.there.get(), "r");
    weft::testing::settle();
    EXPECT_FALSE(next_reader.is_completed());
    put(three.there.get(), "w");
    weft::await(next_writer);
    weft::await(next_reader);
  });
}

TEST(BridgeMutexes, AreNotWatchedUnlessThatIsAskedFor) {
  const Bridged bridged;
  for (const auto& object : weft::bridge::report().objects) {
    for (const std::string& call : object.calls) EXPECT_NE(call, "pthread_mutex_lock");
  }
}

}  // namespace
