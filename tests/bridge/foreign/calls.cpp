#include "calls.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

extern "C" {
int __poll_chk(pollfd*, nfds_t, int, std::size_t);
int __ppoll_chk(pollfd*, nfds_t, const timespec*, const sigset_t*, std::size_t);
ssize_t __recvfrom_chk(int, void*, std::size_t, std::size_t, int, sockaddr*, socklen_t*);
ssize_t __read_chk(int, void*, std::size_t, std::size_t);
int __open_2(const char*, int);
int __open64_2(const char*, int);
int __openat_2(int, const char*, int);
int __openat64_2(int, const char*, int);
ssize_t __recv_chk(int, void*, std::size_t, std::size_t, int);
}

namespace foreign {

int poll(pollfd* fds, nfds_t count, int timeout) { return ::poll(fds, count, timeout); }
int ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  return ::ppoll(fds, count, timeout, mask);
}
int select(int count, fd_set* r, fd_set* w, fd_set* x, timeval* timeout) {
  return ::select(count, r, w, x, timeout);
}
int pselect(int count, fd_set* r, fd_set* w, fd_set* x, const timespec* timeout,
            const sigset_t* mask) {
  return ::pselect(count, r, w, x, timeout, mask);
}
int epoll_wait(int epoll, epoll_event* events, int count, int timeout) {
  return ::epoll_wait(epoll, events, count, timeout);
}
int epoll_pwait(int epoll, epoll_event* events, int count, int timeout, const sigset_t* mask) {
  return ::epoll_pwait(epoll, events, count, timeout, mask);
}
int poll_chk(pollfd* fds, nfds_t count, int timeout, std::size_t room) {
  return ::__poll_chk(fds, count, timeout, room);
}
int ppoll_chk(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t* mask,
              std::size_t room) {
  return ::__ppoll_chk(fds, count, timeout, mask, room);
}
int connect(int fd, const sockaddr* address, socklen_t size) {
  return ::connect(fd, address, size);
}
int accept(int fd, sockaddr* address, socklen_t* size) { return ::accept(fd, address, size); }
int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
  return ::accept4(fd, address, size, flags);
}
ssize_t read(int fd, void* to, std::size_t size) { return ::read(fd, to, size); }
ssize_t read_chk(int fd, void* to, std::size_t size, std::size_t room) {
  return ::__read_chk(fd, to, size, room);
}
ssize_t write(int fd, const void* from, std::size_t size) { return ::write(fd, from, size); }
ssize_t readv(int fd, const iovec* parts, int count) { return ::readv(fd, parts, count); }
ssize_t writev(int fd, const iovec* parts, int count) { return ::writev(fd, parts, count); }
ssize_t recv(int fd, void* to, std::size_t size, int flags) { return ::recv(fd, to, size, flags); }
ssize_t recv_chk(int fd, void* to, std::size_t size, std::size_t room, int flags) {
  return ::__recv_chk(fd, to, size, room, flags);
}
ssize_t recvfrom(int fd, void* to, std::size_t size, int flags, sockaddr* from, socklen_t* n) {
  return ::recvfrom(fd, to, size, flags, from, n);
}
ssize_t recvfrom_chk(int fd, void* to, std::size_t size, std::size_t room, int flags,
                     sockaddr* from, socklen_t* n) {
  return ::__recvfrom_chk(fd, to, size, room, flags, from, n);
}
ssize_t recvmsg(int fd, msghdr* message, int flags) { return ::recvmsg(fd, message, flags); }
int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
  return ::recvmmsg(fd, messages, count, flags, timeout);
}
int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  return ::sendmmsg(fd, messages, count, flags);
}
int epoll_pwait2(int epoll, epoll_event* events, int count, const timespec* timeout,
                 const sigset_t* mask) {
  return ::epoll_pwait2(epoll, events, count, timeout, mask);
}
ssize_t send(int fd, const void* from, std::size_t size, int flags) {
  return ::send(fd, from, size, flags);
}
ssize_t sendto(int fd, const void* from, std::size_t size, int flags, const sockaddr* to,
               socklen_t n) {
  return ::sendto(fd, from, size, flags, to, n);
}
ssize_t sendmsg(int fd, const msghdr* message, int flags) { return ::sendmsg(fd, message, flags); }
ssize_t sendfile(int to, int from, off_t* offset, std::size_t size) {
  return ::sendfile(to, from, offset, size);
}
ssize_t sendfile64(int to, int from, off_t* offset, std::size_t size) {
  return ::sendfile64(to, from, offset, size);
}
unsigned sleep(unsigned seconds) { return ::sleep(seconds); }
int usleep(useconds_t time) { return ::usleep(time); }
int nanosleep(const timespec* time, timespec* left) { return ::nanosleep(time, left); }
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  return ::clock_nanosleep(clock, flags, time, left);
}
pid_t wait(int* status) { return ::wait(status); }
pid_t waitpid(pid_t child, int* status, int options) { return ::waitpid(child, status, options); }
pid_t wait3(int* status, int options, rusage* usage) { return ::wait3(status, options, usage); }
pid_t wait4(pid_t child, int* status, int options, rusage* usage) {
  return ::wait4(child, status, options, usage);
}
int waitid(idtype_t kind, id_t id, siginfo_t* info, int options) {
  return ::waitid(kind, id, info, options);
}
FILE* popen(const char* command, const char* mode) { return ::popen(command, mode); }
int pclose(FILE* stream) { return ::pclose(stream); }
int system(const char* command) { return ::system(command); }
int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** found) {
  return ::getaddrinfo(node, service, hints, found);
}
int getnameinfo(const sockaddr* address, socklen_t size, char* host, socklen_t host_room,
                char* service, socklen_t service_room, int flags) {
  return ::getnameinfo(address, size, host, host_room, service, service_room, flags);
}
hostent* gethostbyname(const char* name) { return ::gethostbyname(name); }
hostent* gethostbyname2(const char* name, int family) { return ::gethostbyname2(name, family); }
hostent* gethostbyaddr(const void* address, socklen_t size, int family) {
  return ::gethostbyaddr(address, size, family);
}
int gethostbyname_r(const char* name, hostent* host, char* memory, std::size_t size,
                    hostent** found, int* error) {
  return ::gethostbyname_r(name, host, memory, size, found, error);
}
int res_query(const char* name, int of_class, int type, unsigned char* answer, int room) {
  return ::res_query(name, of_class, type, answer, room);
}
int gethostbyname2_r(const char* name, int family, hostent* host, char* memory, std::size_t size,
                     hostent** found, int* error) {
  return ::gethostbyname2_r(name, family, host, memory, size, found, error);
}
int gethostbyaddr_r(const void* address, socklen_t address_size, int family, hostent* host,
                    char* memory, std::size_t size, hostent** found, int* error) {
  return ::gethostbyaddr_r(address, address_size, family, host, memory, size, found, error);
}
int res_search(const char* name, int of_class, int type, unsigned char* answer, int room) {
  return ::res_search(name, of_class, type, answer, room);
}
int res_querydomain(const char* name, const char* domain, int of_class, int type,
                    unsigned char* answer, int room) {
  return ::res_querydomain(name, domain, of_class, type, answer, room);
}
int res_send(const unsigned char* question, int size, unsigned char* answer, int room) {
  return ::res_send(question, size, answer, room);
}
int res_nquery(res_state state, const char* name, int of_class, int type, unsigned char* answer,
               int room) {
  return ::res_nquery(state, name, of_class, type, answer, room);
}
int res_nsearch(res_state state, const char* name, int of_class, int type, unsigned char* answer,
                int room) {
  return ::res_nsearch(state, name, of_class, type, answer, room);
}
int res_nquerydomain(res_state state, const char* name, const char* domain, int of_class, int type,
                     unsigned char* answer, int room) {
  return ::res_nquerydomain(state, name, domain, of_class, type, answer, room);
}
int res_nsend(res_state state, const unsigned char* question, int size, unsigned char* answer,
              int room) {
  return ::res_nsend(state, question, size, answer, room);
}
int flock(int fd, int operation) { return ::flock(fd, operation); }
int lockf(int fd, int operation, off_t size) { return ::lockf(fd, operation, size); }
int fcntl(int fd, int command, void* argument) { return ::fcntl(fd, command, argument); }
int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  return ::sigaction(number, action, before);
}
sighandler_t signal(int number, sighandler_t handler) { return ::signal(number, handler); }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
int siginterrupt(int number, int interrupts) { return ::siginterrupt(number, interrupts); }
#pragma GCC diagnostic pop
int close(int fd) { return ::close(fd); }
int close_range(unsigned first, unsigned last, int flags) {
  return ::close_range(first, last, flags);
}
void closefrom(int first) { ::closefrom(first); }
int dup(int fd) { return ::dup(fd); }
int dup2(int from, int to) { return ::dup2(from, to); }
int dup3(int from, int to, int flags) { return ::dup3(from, to, flags); }
int fclose(FILE* file) { return ::fclose(file); }
FILE* freopen(const char* path, const char* mode, FILE* file) {
  return ::freopen(path, mode, file);
}
int open(const char* path, int flags) { return ::open(path, flags); }
int open64(const char* path, int flags) { return ::open64(path, flags); }
int openat(int directory, const char* path, int flags) { return ::openat(directory, path, flags); }
int openat64(int directory, const char* path, int flags) {
  return ::openat64(directory, path, flags);
}
int open_2(const char* path, int flags) { return ::__open_2(path, flags); }
int open64_2(const char* path, int flags) { return ::__open64_2(path, flags); }
int openat_2(int directory, const char* path, int flags) {
  return ::__openat_2(directory, path, flags);
}
int openat64_2(int directory, const char* path, int flags) {
  return ::__openat64_2(directory, path, flags);
}
int creat(const char* path, mode_t mode) { return ::creat(path, mode); }
int creat64(const char* path, mode_t mode) { return ::creat64(path, mode); }
FILE* fopen(const char* path, const char* mode) { return ::fopen(path, mode); }
FILE* fopen64(const char* path, const char* mode) { return ::fopen64(path, mode); }
FILE* freopen64(const char* path, const char* mode, FILE* file) {
  return ::freopen64(path, mode, file);
}
int epoll_create(int size) { return ::epoll_create(size); }
int epoll_create1(int flags) { return ::epoll_create1(flags); }
int signalfd(int fd, const sigset_t* wanted, int flags) { return ::signalfd(fd, wanted, flags); }
int inotify_init() { return ::inotify_init(); }
int inotify_init1(int flags) { return ::inotify_init1(flags); }
int lockf64(int fd, int operation, off64_t size) { return ::lockf64(fd, operation, size); }
int fcntl64(int fd, int command, void* argument) { return ::fcntl64(fd, command, argument); }
int socket(int family, int type, int protocol) { return ::socket(family, type, protocol); }
int socketpair(int family, int type, int protocol, int* both) {
  return ::socketpair(family, type, protocol, both);
}
int pipe(int* both) { return ::pipe(both); }
int pipe2(int* both, int flags) { return ::pipe2(both, flags); }
int eventfd(unsigned value, int flags) { return ::eventfd(value, flags); }
int timerfd_create(int clock, int flags) { return ::timerfd_create(clock, flags); }
int ioctl(int fd, unsigned long request, void* argument) { return ::ioctl(fd, request, argument); }
int setsockopt(int fd, int level, int option, const void* value, socklen_t size) {
  return ::setsockopt(fd, level, option, value, size);
}
pid_t fork() { return ::fork(); }
void* dlopen(const char* name, int mode) { return ::dlopen(name, mode); }
int dlclose(void* loaded) { return ::dlclose(loaded); }

namespace {
Receive* volatile stored = &::recv;
}
Receive* stored_receive() { return stored; }

}  // namespace foreign
