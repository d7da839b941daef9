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
void let_go() { ::pthread_mutex_unlock(&plain); }

}  // namespace locked
