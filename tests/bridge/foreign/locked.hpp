#pragma once

#include <sys/types.h>

// A library that holds a mutex while it waits.
namespace locked {

/// Receives a byte while it holds a mutex that all calls share.
ssize_t receive(int fd, char* to);
/// The same with a mutex that a thread may lock several times. Returns -2 if two calls are inside.
ssize_t receive_recursively(int fd, char* to);
/// Locks the first mutex and unlocks it at once.
void touch();
/// The same, unless it is held: false.
bool try_touch();
/// Locks it until let_go().
void hold();
void let_go();

}  // namespace locked
