#pragma once

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <resolv.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>

// A library that knows nothing of weft and calls the system. Each function is the call of its name.
namespace foreign {

int poll(pollfd* fds, nfds_t count, int timeout);
int ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask);
int select(int count, fd_set* r, fd_set* w, fd_set* x, timeval* timeout);
int pselect(int count, fd_set* r, fd_set* w, fd_set* x, const timespec* timeout,
            const sigset_t* mask);
int epoll_wait(int epoll, epoll_event* events, int count, int timeout);
int epoll_pwait(int epoll, epoll_event* events, int count, int timeout, const sigset_t* mask);
int poll_chk(pollfd* fds, nfds_t count, int timeout, std::size_t room);
int ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask,
              std::size_t room);
int connect(int fd, const sockaddr* address, socklen_t size);
int accept(int fd, sockaddr* address, socklen_t* size);
int accept4(int fd, sockaddr* address, socklen_t* size, int flags);
ssize_t read(int fd, void* to, std::size_t size);
ssize_t read_chk(int fd, void* to, std::size_t size, std::size_t room);
ssize_t write(int fd, const void* from, std::size_t size);
ssize_t readv(int fd, const iovec* parts, int count);
ssize_t writev(int fd, const iovec* parts, int count);
ssize_t recv(int fd, void* to, std::size_t size, int flags);
ssize_t recv_chk(int fd, void* to, std::size_t size, std::size_t room, int flags);
ssize_t recvfrom(int fd, void* to, std::size_t size, int flags, sockaddr* from, socklen_t* n);
ssize_t recvfrom_chk(int fd, void* to, std::size_t size, std::size_t room, int flags,
                     sockaddr* from, socklen_t* n);
ssize_t recvmsg(int fd, msghdr* message, int flags);
ssize_t send(int fd, const void* from, std::size_t size, int flags);
ssize_t sendto(int fd, const void* from, std::size_t size, int flags, const sockaddr* to,
               socklen_t n);
ssize_t sendmsg(int fd, const msghdr* message, int flags);
ssize_t sendfile(int to, int from, off_t* offset, std::size_t size);
ssize_t sendfile64(int to, int from, off_t* offset, std::size_t size);
unsigned sleep(unsigned seconds);
int usleep(useconds_t time);
int nanosleep(const timespec* time, timespec* left);
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left);
pid_t wait(int* status);
pid_t waitpid(pid_t child, int* status, int options);
pid_t wait3(int* status, int options, rusage* usage);
pid_t wait4(pid_t child, int* status, int options, rusage* usage);
int waitid(idtype_t kind, id_t id, siginfo_t* info, int options);
FILE* popen(const char* command, const char* mode);
int pclose(FILE* stream);
int system(const char* command);
int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found);
int getnameinfo(const sockaddr* address, socklen_t size, char* host, socklen_t host_room,
                char* service, socklen_t service_room, int flags);
hostent* gethostbyname(const char* name);
hostent* gethostbyname2(const char* name, int family);
hostent* gethostbyaddr(const void* address, socklen_t size, int family);
int gethostbyname_r(const char* name, hostent* host, char* memory, std::size_t size,
                    hostent** found, int* error);
int gethostbyname2_r(const char* name, int family, hostent* host, char* memory, std::size_t size,
                     hostent** found, int* error);
int gethostbyaddr_r(const void* address, socklen_t address_size, int family, hostent* host,
                    char* memory, std::size_t size, hostent** found, int* error);
int res_query(const char* name, int of_class, int type, unsigned char* answer, int room);
int res_search(const char* name, int of_class, int type, unsigned char* answer, int room);
int res_querydomain(const char* name, const char* domain, int of_class, int type,
                    unsigned char* answer, int room);
int res_send(const unsigned char* question, int size, unsigned char* answer, int room);
int res_nquery(res_state state, const char* name, int of_class, int type, unsigned char* answer,
               int room);
int res_nsearch(res_state state, const char* name, int of_class, int type, unsigned char* answer,
                int room);
int res_nquerydomain(res_state state, const char* name, const char* domain, int of_class, int type,
                     unsigned char* answer, int room);
int res_nsend(res_state state, const unsigned char* question, int size, unsigned char* answer,
              int room);
int flock(int fd, int operation);
int lockf(int fd, int operation, off_t size);
int fcntl(int fd, int command, void* argument);
int sigaction(int number, const struct sigaction* action, struct sigaction* before);
sighandler_t signal(int number, sighandler_t handler);
int siginterrupt(int number, int interrupts);
int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* timeout);
int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags);
int epoll_pwait2(int epoll, epoll_event* events, int count, const timespec* timeout,
                 const sigset_t* mask);
int close(int fd);
int close_range(unsigned first, unsigned last, int flags);
void closefrom(int first);
int dup(int fd);
int dup2(int from, int to);
int dup3(int from, int to, int flags);
int fclose(FILE* file);
FILE* freopen(const char* path, const char* mode, FILE* file);
int open(const char* path, int flags);
int open64(const char* path, int flags);
int openat(int directory, const char* path, int flags);
int openat64(int directory, const char* path, int flags);
int open_2(const char* path, int flags);
int open64_2(const char* path, int flags);
int openat_2(int directory, const char* path, int flags);
int openat64_2(int directory, const char* path, int flags);
int creat(const char* path, mode_t mode);
int creat64(const char* path, mode_t mode);
FILE* fopen(const char* path, const char* mode);
FILE* fopen64(const char* path, const char* mode);
FILE* freopen64(const char* path, const char* mode, FILE* file);
int epoll_create(int size);
int epoll_create1(int flags);
int signalfd(int fd, const sigset_t* wanted, int flags);
int inotify_init();
int inotify_init1(int flags);
int lockf64(int fd, int operation, off64_t size);
int fcntl64(int fd, int command, void* argument);
int socket(int family, int type, int protocol);
int socketpair(int family, int type, int protocol, int* both);
int pipe(int* both);
int pipe2(int* both, int flags);
int eventfd(unsigned value, int flags);
int timerfd_create(int clock, int flags);
int ioctl(int fd, unsigned long request, void* argument);
int setsockopt(int fd, int level, int option, const void* value, socklen_t size);
pid_t fork();
void* dlopen(const char* name, int mode);
int dlclose(void* loaded);

/// A pointer to recv() that the loader has stored in a variable.
using Receive = ssize_t(int, void*, std::size_t, int);
Receive* stored_receive();

}  // namespace foreign
