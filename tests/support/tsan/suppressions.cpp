// libuv closes descriptors with the bare system call, which the thread sanitizer does not see: when
// two threads create and close loops, a descriptor number that is used again looks like one
// descriptor that both write to. The interceptors have two names; which of them a report carries
// depends on the linker.

extern "C" const char* __tsan_default_suppressions();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __tsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "race:^__interceptor_epoll_create1$\n"
         "race:^__interceptor_eventfd$\n"
         "race:^__interceptor_pipe2$\n"
         "race:^epoll_create1$\n"
         "race:^eventfd$\n"
         "race:^pipe2$\n";
}
