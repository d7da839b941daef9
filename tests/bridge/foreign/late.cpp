#include <unistd.h>

// Loaded while the bridge is installed.
extern "C" int late_usleep(useconds_t time) { return ::usleep(time); }
