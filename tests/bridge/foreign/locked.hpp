#pragma once

#include <sys/types.h>

// A library that holds a lock while it waits.
namespace locked {

/// Receives a byte while it holds a mutex that all calls share.
ssize_t receive(int fd, char* to);
/// The same with a mutex that a thread may lock several times. Returns -2 if two calls are inside.
ssize_t receive_recursively(int fd, char* to);
/// Locks the first mutex and unlocks it at once.
void touch();
/// The same, unless it is held: false.
bool try_touch();
/// Locks it until unlock_first().
void hold();
void unlock_first();

/// Receives a byte in an initialisation that is done once, by pthread_once(). True: it is done.
bool receive_once(int fd, char* to);
/// The same for a variable of a function.
char receive_into_static(int fd);
/// Receives a byte while it holds a lock that allows several readers, or one writer.
ssize_t receive_shared(int fd, char* to);
ssize_t receive_exclusively(int fd, char* to);

}  // namespace locked
