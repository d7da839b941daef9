#include "locked.hpp"

#include <pthread.h>
#include <sys/socket.h>

namespace locked {
namespace {

pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int inside = 0;

}  // namespace

ssize_t receive(int fd, char* to) {
  ::pthread_mutex_lock(&plain);
  const ssize_t got = ::recv(fd, to, 1, 0);
  ::pthread_mutex_unlock(&plain);
  return got;
}

ssize_t receive_recursively(int fd, char* to) {
  ::pthread_mutex_lock(&recursive);
  ::pthread_mutex_lock(&recursive);
  const bool is_alone = ++inside == 1;
  const ssize_t got = ::recv(fd, to, 1, 0);
  --inside;
  ::pthread_mutex_unlock(&recursive);
  ::pthread_mutex_unlock(&recursive);
  return is_alone ? got : -2;
}

void touch() {
  ::pthread_mutex_lock(&plain);
  ::pthread_mutex_unlock(&plain);
}

bool try_touch() {
  if (::pthread_mutex_trylock(&plain) != 0) return false;
  ::pthread_mutex_unlock(&plain);
  return true;
}

void hold() { ::pthread_mutex_lock(&plain); }
void unlock_first() { ::pthread_mutex_unlock(&plain); }

namespace {

pthread_once_t once = PTHREAD_ONCE_INIT;
int descriptor = -1;
char* target = nullptr;
bool is_done = false;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

char receive_a_byte(int fd) {
  char byte = 0;
  ::recv(fd, &byte, 1, 0);
  return byte;
}

}  // namespace

bool receive_once(int fd, char* to) {
  if (target == nullptr) {
    descriptor = fd;
    target = to;
  }
  ::pthread_once(&once, [] {
    *target = receive_a_byte(descriptor);
    is_done = true;
  });
  return is_done;
}

char receive_into_static(int fd) {
  static const char received = receive_a_byte(fd);
  return received;
}

ssize_t receive_shared(int fd, char* to) {
  ::pthread_rwlock_rdlock(&shared);
  const ssize_t got = ::recv(fd, to, 1, 0);
  ::pthread_rwlock_unlock(&shared);
  return got;
}

ssize_t receive_exclusively(int fd, char* to) {
  ::pthread_rwlock_wrlock(&shared);
  const ssize_t got = ::recv(fd, to, 1, 0);
  ::pthread_rwlock_unlock(&shared);
  return got;
}

}  // namespace locked
