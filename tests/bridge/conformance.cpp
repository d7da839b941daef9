#include "conformance.hpp"

#include <gtest/gtest.h>

namespace weft_test {

void expect_the_same(const Case& one) {
  Seen plain;
  one.run(plain);
  const Bridged bridged;
  Seen outside;
  one.run(outside);
  EXPECT_EQ(outside.text(), plain.text()) << "outside a coroutine";
  Seen inside;
  weft::run([&] {
    // Another coroutine that runs all the time: what the call waits for, it waits for without it.
    bool over = false;
    auto other = weft::spawn([&] {
      while (!over) weft::delay(std::chrono::milliseconds{1});
    });
    weft::await(weft::spawn([&] { one.run(inside); }));
    over = true;
    weft::await(other);
  });
  EXPECT_EQ(inside.text(), plain.text()) << "in a coroutine";
}

}  // namespace weft_test
