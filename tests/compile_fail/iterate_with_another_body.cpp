// Says: iterate() calls its body with an element of the range

#include <string>
#include <vector>

#include <weft/iterate.hpp>

void f(std::vector<int>& numbers) {
  weft::iterate(numbers, [](std::string&) {});
}
