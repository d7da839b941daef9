// Says: Promise::complete(): the value of this promise cannot be made of what was given

#include <string>

#include <weft/promise.hpp>

void f(weft::Promise<int>& promise) { promise.complete(std::string{"five"}); }
