// Says: ThreadPool::submit() calls its function without arguments

#include <weft/thread_pool.hpp>

void f(weft::ThreadPool& pool) {
  static_cast<void>(pool.submit([](int number) { return number; }));
}
