#pragma once

#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <resolv.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

namespace weft::bridge {

/// The functions behind the hooks, as the loader would have bound them: those of libc, or of what
/// stands in front of it, such as a sanitizer. Found before anything is patched. The bridge calls
/// no hooked function by its name.
struct Real {
  // waiting
  int (*poll)(pollfd*, nfds_t, int);
  int (*ppoll)(pollfd*, nfds_t, const timespec*, const sigset_t*);
  int (*poll_chk)(pollfd*, nfds_t, int, std::size_t);
  int (*ppoll_chk)(pollfd*, nfds_t, const timespec*, const sigset_t*, std::size_t);
  int (*select)(int, fd_set*, fd_set*, fd_set*, timeval*);
  int (*pselect)(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*);
  int (*epoll_wait)(int, epoll_event*, int, int);
  int (*epoll_pwait)(int, epoll_event*, int, int, const sigset_t*);
  int (*epoll_pwait2)(int, epoll_event*, int, const timespec*, const sigset_t*);
  // connecting
  int (*connect)(int, const sockaddr*, socklen_t);
  int (*accept)(int, sockaddr*, socklen_t*);
  int (*accept4)(int, sockaddr*, socklen_t*, int);
  // transfer
  ssize_t (*read)(int, void*, std::size_t);
  ssize_t (*read_chk)(int, void*, std::size_t, std::size_t);
  ssize_t (*write)(int, const void*, std::size_t);
  ssize_t (*readv)(int, const iovec*, int);
  ssize_t (*writev)(int, const iovec*, int);
  ssize_t (*recv)(int, void*, std::size_t, int);
  ssize_t (*recv_chk)(int, void*, std::size_t, std::size_t, int);
  ssize_t (*recvfrom)(int, void*, std::size_t, int, sockaddr*, socklen_t*);
  ssize_t (*recvfrom_chk)(int, void*, std::size_t, std::size_t, int, sockaddr*, socklen_t*);
  ssize_t (*recvmsg)(int, msghdr*, int);
  int (*recvmmsg)(int, mmsghdr*, unsigned, int, timespec*);
  int (*sendmmsg)(int, mmsghdr*, unsigned, int);
  ssize_t (*send)(int, const void*, std::size_t, int);
  ssize_t (*sendto)(int, const void*, std::size_t, int, const sockaddr*, socklen_t);
  ssize_t (*sendmsg)(int, const msghdr*, int);
  ssize_t (*sendfile)(int, int, off_t*, std::size_t);
  // sleeping
  unsigned (*sleep)(unsigned);
  int (*usleep)(useconds_t);
  int (*nanosleep)(const timespec*, timespec*);
  int (*clock_nanosleep)(clockid_t, int, const timespec*, timespec*);
  // children
  pid_t (*wait)(int*);
  pid_t (*waitpid)(pid_t, int*, int);
  pid_t (*wait3)(int*, int, rusage*);
  pid_t (*wait4)(pid_t, int*, int, rusage*);
  int (*waitid)(idtype_t, id_t, siginfo_t*, int);
  FILE* (*popen)(const char*, const char*);
  int (*pclose)(FILE*);
  int (*system)(const char*);
  // names
  int (*getaddrinfo)(const char*, const char*, const addrinfo*, addrinfo**);
  int (*getnameinfo)(const sockaddr*, socklen_t, char*, socklen_t, char*, socklen_t, int);
  hostent* (*gethostbyname)(const char*);
  hostent* (*gethostbyname2)(const char*, int);
  hostent* (*gethostbyaddr)(const void*, socklen_t, int);
  int (*gethostbyname_r)(const char*, hostent*, char*, std::size_t, hostent**, int*);
  int (*gethostbyname2_r)(const char*, int, hostent*, char*, std::size_t, hostent**, int*);
  int (*gethostbyaddr_r)(const void*, socklen_t, int, hostent*, char*, std::size_t, hostent**,
                         int*);
  int (*res_query)(const char*, int, int, unsigned char*, int);
  int (*res_search)(const char*, int, int, unsigned char*, int);
  int (*res_querydomain)(const char*, const char*, int, int, unsigned char*, int);
  int (*res_send)(const unsigned char*, int, unsigned char*, int);
  int (*res_nquerydomain)(res_state, const char*, const char*, int, int, unsigned char*, int);
  int (*res_nsend)(res_state, const unsigned char*, int, unsigned char*, int);
  int (*res_nquery)(res_state, const char*, int, int, unsigned char*, int);
  int (*res_nsearch)(res_state, const char*, int, int, unsigned char*, int);
  // locks
  int (*flock)(int, int);
  int (*lockf)(int, int, off_t);
  // signals
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
  sighandler_t (*signal)(int, sighandler_t);
  int (*siginterrupt)(int, int);
  void (*longjmp)(__jmp_buf_tag*, int);
  void (*plain_longjmp)(__jmp_buf_tag*, int);
  void (*siglongjmp)(__jmp_buf_tag*, int);
  void (*longjmp_chk)(__jmp_buf_tag*, int);
  // watched in any case
  int (*close)(int);
  int (*close_range)(unsigned, unsigned, int);
  void (*closefrom)(int);
  int (*fclose)(FILE*);
  int (*dup)(int);
  int (*dup2)(int, int);
  int (*dup3)(int, int, int);
  int (*socket)(int, int, int);
  int (*socketpair)(int, int, int, int*);
  int (*pipe)(int*);
  int (*pipe2)(int*, int);
  int (*eventfd)(unsigned, int);
  int (*epoll_create)(int);
  int (*epoll_create1)(int);
  int (*timerfd_create)(int, int);
  int (*signalfd)(int, const sigset_t*, int);
  int (*inotify_init)();
  int (*inotify_init1)(int);
  int (*open)(const char*, int, ...);
  int (*open64)(const char*, int, ...);
  int (*openat)(int, const char*, int, ...);
  int (*openat64)(int, const char*, int, ...);
  int (*open_2)(const char*, int);
  int (*open64_2)(const char*, int);
  int (*openat_2)(int, const char*, int);
  int (*openat64_2)(int, const char*, int);
  int (*creat)(const char*, mode_t);
  int (*creat64)(const char*, mode_t);
  FILE* (*fopen)(const char*, const char*);
  FILE* (*fopen64)(const char*, const char*);
  FILE* (*freopen)(const char*, const char*, FILE*);
  FILE* (*freopen64)(const char*, const char*, FILE*);
  int (*fcntl)(int, int, ...);
  int (*ioctl)(int, unsigned long, ...);
  int (*setsockopt)(int, int, int, const void*, socklen_t);
  pid_t (*fork)();
  void* (*dlopen)(const char*, int);
  int (*dlclose)(void*);
  // detect_locks
  int (*mutex_lock)(pthread_mutex_t*);
  int (*mutex_trylock)(pthread_mutex_t*);
  int (*mutex_unlock)(pthread_mutex_t*);
  int (*read_lock)(pthread_rwlock_t*);
  int (*write_lock)(pthread_rwlock_t*);
  int (*try_read_lock)(pthread_rwlock_t*);
  int (*try_write_lock)(pthread_rwlock_t*);
  int (*read_write_unlock)(pthread_rwlock_t*);
  int (*once)(pthread_once_t*, void (*)());
  int (*guard_acquire)(std::int64_t*);
  void (*guard_release)(std::int64_t*);
  void (*guard_abort)(std::int64_t*);
};

extern constinit Real real;

/// A function that is replaced.
struct Hook {
  const char* name;
  void* replacement;
  void** real;
  unsigned family;  // 0: replaced in any case
};

/// `behind` is where the function behind is kept.
template <class F>
[[nodiscard]] Hook hook(const char* name, F* replacement, F*& behind, unsigned family) noexcept {
  return {name, reinterpret_cast<void*>(replacement), reinterpret_cast<void**>(&behind), family};
}

}  // namespace weft::bridge
