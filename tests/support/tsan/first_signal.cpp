// The thread sanitizer makes a thread's record of signals in its first blocking call. A signal that
// comes while it does so is noted in a second record, which is lost. The main thread, to which the
// kernel gives most signals, blocks once before there are any.

#include <unistd.h>

namespace {

[[maybe_unused]] const int blocked_once = ::usleep(0);

}  // namespace
