// Says: a task is called without arguments and returns what its group is of

#include <string>

#include <weft/task_group.hpp>

void f(weft::TaskGroup<int>& group) {
  group.spawn([] { return std::string{"five"}; });
}
