#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#include "classes.hpp"
#include "object.hpp"

// What the machine and this process do: CpuSnapshot, cpu_usage(), loadavg(),
// available_parallelism().

using namespace weft_php;

namespace {

/// All times in nanoseconds.
struct Snapshot {
  zend_long wall = 0;
  zend_long process_user = 0;
  zend_long process_system = 0;
  zend_long system_idle = 0;
  zend_long system_busy = 0;
};

zend_long nanoseconds(const timeval& time) {
  return static_cast<zend_long>(time.tv_sec) * 1'000'000'000 + time.tv_usec * 1'000;
}

Snapshot take_snapshot() {
  Snapshot now;
  timespec wall{};
  ::clock_gettime(CLOCK_MONOTONIC, &wall);
  now.wall = static_cast<zend_long>(wall.tv_sec) * 1'000'000'000 + wall.tv_nsec;
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  now.process_user = nanoseconds(used.ru_utime);
  now.process_system = nanoseconds(used.ru_stime);
  if (std::FILE* const file = std::fopen("/proc/stat", "re")) {
    // user, nice, system, idle, waiting for disks, two kinds of interrupts, stolen
    unsigned long long ticks[8] = {};
    if (std::fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1],
                    &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7]) >= 4) {
      const auto tick = static_cast<unsigned long long>(1'000'000'000 / ::sysconf(_SC_CLK_TCK));
      const auto idle = ticks[3] + ticks[4];
      const auto busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
      now.system_idle = static_cast<zend_long>(idle * tick);
      now.system_busy = static_cast<zend_long>(busy * tick);
    }
    std::fclose(file);
  }
  return now;
}

/// How many processors the time of this process is limited to, rounded up: by cpu.max of its
/// cgroup (version 2) and of the groups above, which a container has too.
zend_long processors_of_cgroup() {
  zend_long fewest = std::numeric_limits<zend_long>::max();
  std::ifstream groups{"/proc/self/cgroup"};
  std::string group;
  while (std::getline(groups, group) && !group.starts_with("0::/")) {
  }
  for (group.erase(0, 3);; group.erase(group.rfind('/'))) {
    std::ifstream limit{"/sys/fs/cgroup" + group + "/cpu.max"};
    double time = 0;  // "max" is no number
    double period = 0;
    if (limit >> time >> period && period > 0) {
      fewest = std::min(fewest, static_cast<zend_long>(std::ceil(time / period)));
    }
    if (group.empty()) return fewest;
  }
}

/// The processors that this process may use.
zend_long processors() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  const int count = ::sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable) : 1;
  return std::max<zend_long>(1, std::min<zend_long>(count, processors_of_cgroup()));
}

void load_averages(zval* result) {
  double loads[3];
  ZVAL_NULL(result);
  if (::getloadavg(loads, 3) != 3) return;
  array_init_size(result, 3);
  for (const double load : loads) add_next_index_double(result, load);
}

class PlainObject final : public Object {};

}  // namespace

namespace weft_php {

void set_up_cpu() { ce_Async_CpuSnapshot->create_object = ObjectKind<PlainObject>::create; }

}  // namespace weft_php

ZEND_METHOD(Async_CpuSnapshot, __construct) { ZEND_PARSE_PARAMETERS_NONE(); }

ZEND_METHOD(Async_CpuSnapshot, now) {
  ZEND_PARSE_PARAMETERS_NONE();
  const Snapshot now = take_snapshot();
  object_init_ex(return_value, ce_Async_CpuSnapshot);
  const auto set = [return_value](const char* name, zend_long value) {
    zend_update_property_long(ce_Async_CpuSnapshot, Z_OBJ_P(return_value), name, strlen(name),
                              value);
  };
  set("wallNs", now.wall);
  set("processUserNs", now.process_user);
  set("processSystemNs", now.process_system);
  set("systemIdleNs", now.system_idle);
  set("systemBusyNs", now.system_busy);
  set("cpuCount", processors());
}

ZEND_FUNCTION(Async_cpu_usage) {
  ZEND_PARSE_PARAMETERS_NONE();
  static Snapshot before;
  static double request_of_before = -1;  // the first call of a request has none before it
  const Snapshot now = take_snapshot();
  const double this_request = sapi_get_request_time();
  if (this_request != request_of_before) before = now;
  request_of_before = this_request;
  const auto wall = static_cast<double>(now.wall - before.wall);
  const auto process = static_cast<double>(now.process_user + now.process_system -
                                           before.process_user - before.process_system);
  const auto busy = static_cast<double>(now.system_busy - before.system_busy);
  const double system = busy + static_cast<double>(now.system_idle - before.system_idle);
  before = now;
  const double cores = wall > 0 ? process / wall : 0;
  array_init(return_value);
  add_assoc_double(return_value, "process_cores", cores);
  add_assoc_double(return_value, "process_percent",
                   100 * cores / static_cast<double>(processors()));
  add_assoc_double(return_value, "system_percent", system > 0 ? 100 * busy / system : 0);
  add_assoc_long(return_value, "cpu_count", processors());
  add_assoc_double(return_value, "interval_sec", wall / 1e9);
  zval loads;
  load_averages(&loads);
  add_assoc_zval(return_value, "loadavg", &loads);
}

ZEND_FUNCTION(Async_available_parallelism) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_LONG(processors());
}

ZEND_FUNCTION(Async_loadavg) {
  ZEND_PARSE_PARAMETERS_NONE();
  load_averages(return_value);
}
