#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/waits.hpp"
#include "failures.hpp"
#include "support.hpp"

// The exceptions of every operation that waits: each row of the table in docs/guide/errors.md is
// run, and its cells are compared with the exceptions.
namespace {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::Endings;
using weft_test::error_of;
using weft_test::is;
using weft_test::quiet;
using weft_test::text;
using weft_test::Wait;
using weft_test::Waiting;

const std::string not_possible = "-";

/// The name of the class of `error`, or "returns" if there is none.
std::string name_of(const std::exception_ptr& error) {
  if (error == nullptr) return "returns";
  if (is<weft::Cancelled>(error)) return "Cancelled";
  if (is<weft::TimedOut>(error)) return "TimedOut";
  if (is<weft::OperationCancelled>(error)) return "OperationCancelled";
  if (is<weft::ChannelClosed>(error)) return "ChannelClosed";
  if (is<weft::ObjectDestroyed>(error)) return "ObjectDestroyed";
  if (is<weft::PoolClosed>(error)) return "PoolClosed";
  if (is<weft::BrokenPromise>(error)) return "BrokenPromise";
  if (is<weft::ThreadPoolClosed>(error)) return "ThreadPoolClosed";
  if (is<weft::CompositeError>(error)) return "CompositeError";
  if (is<std::system_error>(error)) return "std::system_error";
  return text(error);
}

/// The cells of a line of a table, without backticks and surrounding blanks.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream parts{line.substr(1)};
  for (std::string cell; std::getline(parts, cell, '|');) {
    std::erase(cell, '`');
    const auto first = cell.find_first_not_of(' ');
    const auto last = cell.find_last_not_of(' ');
    all.push_back(first == std::string::npos ? "" : cell.substr(first, last + 1 - first));
  }
  return all;
}

using Row = std::map<std::string, std::string>;

/// The rows of the table whose first column is called "operation", by name.
std::map<std::string, Row> table() {
  std::map<std::string, Row> rows;
  std::vector<std::string> head;
  std::ifstream page{weft_test::errors_page};
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| ", 0) != 0) {
      head.clear();
      continue;
    }
    const std::vector<std::string> row = cells(line);
    if (row.front() == "operation") head = row;
    if (head.empty() || row.front() == "operation" || row.front() == "---") continue;
    for (std::size_t i = 1; i < row.size() && i < head.size(); ++i) {
      rows[row.front()][head[i]] = row[i];
    }
  }
  return rows;
}

std::string test_name(const ::testing::TestParamInfo<Wait>& wait) {
  std::string name = wait.param.operation;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class WhatThrows : public ::testing::TestWithParam<Wait> {
 protected:
  [[nodiscard]] static bool takes_token() {
    return GetParam().ends == Endings::any || GetParam().ends == Endings::outside;
  }
  [[nodiscard]] static bool may_be_deadlock() {
    return GetParam().ends == Endings::any || GetParam().ends == Endings::alone;
  }
  /// The cell of the guide's table for this operation.
  [[nodiscard]] static std::string guide(const std::string& column) {
    static const auto rows = table();
    const auto row = rows.find(GetParam().operation);
    if (row == rows.end()) return "no such row";
    const auto cell = row->second.find(column);
    return cell != row->second.end() ? cell->second : "no such column";
  }
  /// The exception of the operation if it waits with `token` and `interfere` is called meanwhile.
  template <class F>
  static std::string thrown(F interfere, weft::Token token = {}) {
    std::string error;
    weft::run(
        [&] {
          Waiting operation = GetParam().make();
          auto waiting =
              weft::spawn([&] { error = name_of(error_of([&] { operation.wait(token); })); });
          for (int i = 0; i < 10; ++i) weft::suspend();  // until the operation waits
          interfere(operation, waiting);
          weft::await(waiting);
        },
        quiet());
    return error;
  }
  static std::string thrown_for(weft::Token token) {
    return thrown([](Waiting&, const auto&) {}, token);
  }
};

INSTANTIATE_TEST_SUITE_P(Of, WhatThrows, ::testing::ValuesIn(weft_test::waits()), test_name);

TEST(WhatThrowsTable, HasARowForEachOperationAndNoOther) {
  std::vector<std::string> tested;
  for (const Wait& wait : weft_test::waits()) tested.emplace_back(wait.operation);
  std::vector<std::string> said;
  for (const auto& [operation, cells] : table()) said.push_back(operation);
  EXPECT_THAT(said, ::testing::UnorderedElementsAreArray(tested));
}

// R-AWT-2, R-TMO-3
TEST_P(WhatThrows, IsForATokenWhatTheGuideSays) {
  if (!takes_token()) {
    EXPECT_EQ(guide("timeout"), not_possible);
    EXPECT_EQ(guide("another token"), not_possible);
    return;
  }
  EXPECT_EQ(guide("timeout"), "TimedOut") << "the rule holds for every operation with a token";
  weft::Timeout limit{2ms};
  EXPECT_EQ(thrown_for(limit), "TimedOut");
  EXPECT_EQ(thrown_for(limit), "TimedOut") << "a timeout that was over before";

  EXPECT_EQ(guide("another token"), "OperationCancelled")
      << "the rule holds for every operation with a token";
  Doorbell stop;
  EXPECT_EQ(thrown([&](Waiting&, const auto&) { stop.ring_and_close(); }, stop),
            "OperationCancelled");
  EXPECT_EQ(thrown_for(stop), "OperationCancelled") << "a token that fired before";
  weft::Timeout cancelled{1h};
  EXPECT_EQ(thrown([&](Waiting&, const auto&) { cancelled.cancel(); }, cancelled),
            "OperationCancelled")
      << "no time has passed";
}

// R-TMO-3
TEST_P(WhatThrows, IsTimedOutInsideWithTimeout) {
  std::string error;
  weft::run(
      [&] {
        Waiting operation = GetParam().make();
        weft::await(weft::spawn([&] {
          error = name_of(error_of([&] { weft::with_timeout(2ms, [&] { operation.wait({}); }); }));
        }));
      },
      quiet());
  EXPECT_EQ(error, "TimedOut");
}

// R-CAN-1, R-SHU-5, R-DLK-2
TEST_P(WhatThrows, IsAtTheEndOfAnythingWhatTheGuideSays) {
  EXPECT_EQ(thrown([](Waiting&, const auto& waiting) { waiting.cancel(); }), guide("cancelled"));
  EXPECT_EQ(thrown([](Waiting&, const auto&) { weft::shutdown(); }), guide("shutdown"));

  bool possible = true;
  const std::string error = thrown([&](Waiting& operation, const auto& waiting) {
    possible = static_cast<bool>(operation.end);
    if (possible) {
      operation.end();
    } else {
      waiting.cancel();
    }
  });
  EXPECT_EQ(possible ? error : not_possible, guide("closed or destroyed"));

  if (!may_be_deadlock()) {
    EXPECT_EQ(guide("deadlock"), not_possible);
    return;
  }
  std::string at_deadlock;
  const auto end = error_of([&] {
    weft::run(
        [&] {
          Waiting operation = GetParam().make();
          weft::await(
              weft::spawn([&] { at_deadlock = name_of(error_of([&] { operation.wait({}); })); }));
        },
        quiet());
  });
  EXPECT_EQ(at_deadlock, guide("deadlock"));
  EXPECT_TRUE(is<weft::DeadlockError>(end)) << text(end);
}

}  // namespace
