#pragma once

#include "weft/detail/abi.hpp"

#include <stddef.h>
#include <stdint.h>

/** @file
 * weft for C. Everything that can fail returns one of the codes below, 0 for success; no exception
 * ever passes through a C frame. "Suspends" says that other coroutines run meanwhile.
 *
 * In a cancelled coroutine the call it waits in returns WEFT_CANCELLED. The coroutine may clean up,
 * even with further waits, and then returns; its outcome is the cancellation whatever it returns.
 *
 * Handles belong to the caller, which ends each with its release function. All functions but
 * weft_run, weft_strerror, weft_error_text and weft_error_number must be called inside weft_run, on
 * its thread. */

#ifdef __cplusplus
extern "C" {
#endif

/** What the functions return. */
enum weft_code {
  WEFT_OK = 0,          /**< success */
  WEFT_CANCELLED = 1,   /**< the calling coroutine, or the one awaited, was cancelled */
  WEFT_TIMED_OUT = 2,   /**< the given time passed first */
  WEFT_CLOSED = 3,      /**< the channel is closed and empty; the stream was closed during a wait */
  WEFT_WOULD_WAIT = 4,  /**< a try function found nothing to do */
  WEFT_NO_MEMORY = 5,   /**< an allocation failed */
  WEFT_MISUSE = 6,      /**< weft_error_text says what to do instead */
  WEFT_DEADLOCK = 7,    /**< all coroutines waited for what could never happen */
  WEFT_FAILED = 8,      /**< anything else; see weft_error_number for the system's code */
  WEFT_OWN_CODES = 1000 /**< codes of your own begin here */
};

/** A coroutine. */
typedef struct weft_coroutine weft_coroutine;
/** A channel of pointers. */
typedef struct weft_channel weft_channel;
/** A result that other code will provide. */
typedef struct weft_future weft_future;
/** A periodic timer. */
typedef struct weft_timer weft_timer;
/** A connection. */
typedef struct weft_stream weft_stream;
/** A socket that accepts connections. */
typedef struct weft_listener weft_listener;

/** The body of a coroutine. May store a result in *result, which is NULL before. A return value
 * other than 0 is what awaiting the coroutine returns. */
typedef int (*weft_body)(void* data, void** result);

/** Describes `code` in words. */
const char* weft_strerror(int code);
/** Details of the last failure on this thread; valid until the next one. */
const char* weft_error_text(void);
/** The `errno` of that failure, if it came from the system; 0 otherwise. */
int weft_error_number(void);

/** Runs `body` as the main coroutine and returns what it returned, after all other coroutines have
 * ended. Blocks the thread meanwhile. `result` may be NULL, here and everywhere. */
int weft_run(weft_body body, void* data, void** result);

/** Starts a coroutine; it runs when the caller suspends. `coroutine` may be NULL: then it cannot be
 * awaited, and its failure ends the program. */
int weft_spawn(weft_coroutine** coroutine, weft_body body, void* data);
/** Suspends until `coroutine` has ended. */
int weft_await(weft_coroutine* coroutine, void** result);
/** The same for `milliseconds` at most; 0 is WEFT_MISUSE, here and in all functions with _for. */
int weft_await_for(weft_coroutine* coroutine, uint64_t milliseconds, void** result);
/** Asks `coroutine` to end; the call it waits in returns WEFT_CANCELLED. */
void weft_cancel(weft_coroutine* coroutine);
/** 1 if `coroutine` has ended, else 0. */
int weft_is_completed(const weft_coroutine* coroutine);
/** Ends the handle, not the coroutine. */
void weft_release(weft_coroutine* coroutine);

/** Suspends to let other coroutines run. */
int weft_suspend(void);
/** Suspends for `milliseconds`. */
int weft_delay(uint64_t milliseconds);

/** A channel of pointers; capacity 0 is a rendezvous. */
int weft_channel_create(weft_channel** channel, size_t capacity);
/** Suspends until there is room, or, in a rendezvous, a receiver. */
int weft_channel_send(weft_channel* channel, void* value);
/** weft_channel_send() for `milliseconds` at most. */
int weft_channel_send_for(weft_channel* channel, void* value, uint64_t milliseconds);
/** Suspends until there is a value. */
int weft_channel_recv(weft_channel* channel, void** value);
/** weft_channel_recv() for `milliseconds` at most. */
int weft_channel_recv_for(weft_channel* channel, void** value, uint64_t milliseconds);
/** Sends without waiting: WEFT_WOULD_WAIT if there is no room. */
int weft_channel_try_send(weft_channel* channel, void* value);
/** Receives without waiting: WEFT_WOULD_WAIT if there is no value. */
int weft_channel_try_recv(weft_channel* channel, void** value);
/** How many values are stored. */
size_t weft_channel_size(const weft_channel* channel);
/** Waiting senders fail; receivers get the remaining values first. */
void weft_channel_close(weft_channel* channel);
/** Ends the handle, and the channel with it. */
void weft_channel_release(weft_channel* channel);

/** A result that other code will provide, once. */
int weft_future_create(weft_future** future);
/** Completes `future` with `value`; a second time is WEFT_MISUSE. */
int weft_future_complete(weft_future* future, void* value);
/** Awaiting `future` returns `code`; WEFT_OK is WEFT_MISUSE. */
int weft_future_fail(weft_future* future, int code);
/** Cancels `future`: awaiting it returns WEFT_CANCELLED. */
int weft_future_cancel(weft_future* future);
/** Suspends until `future` is completed; may be called any number of times. */
int weft_future_await(weft_future* future, void** value);
/** weft_future_await() for `milliseconds` at most. */
int weft_future_await_for(weft_future* future, uint64_t milliseconds, void** value);
/** 1 if `future` is completed, failed or cancelled, else 0. */
int weft_future_is_completed(const weft_future* future);
/** Ends the handle. */
void weft_future_release(weft_future* future);

/** Fires every `milliseconds` from the first wait on. */
int weft_timer_create(weft_timer** timer, uint64_t milliseconds);
/** Suspends until `timer` fires next. */
int weft_timer_await(weft_timer* timer);
/** Ends the timer. */
void weft_timer_release(weft_timer* timer);

/* A connection. Several coroutines may use one: their reads and their writes are not interleaved.
 * After WEFT_TIMED_OUT from a write a part may be written. */

/** Suspends until connected; tries every address of `host`. */
int weft_tcp_connect(weft_stream** stream, const char* host, uint16_t port);
/** weft_tcp_connect() for `milliseconds` at most. */
int weft_tcp_connect_for(weft_stream** stream, const char* host, uint16_t port,
                         uint64_t milliseconds);
/** Suspends until connected. */
int weft_unix_connect(weft_stream** stream, const char* path);
/** weft_unix_connect() for `milliseconds` at most. */
int weft_unix_connect_for(weft_stream** stream, const char* path, uint64_t milliseconds);
/** Takes over a connected socket and makes it non-blocking; on failure does neither. */
int weft_stream_adopt(weft_stream** stream, int descriptor);
/** Suspends until bytes have arrived; *got is their number, 0 at the end. */
int weft_stream_read(weft_stream* stream, void* to, size_t size, size_t* got);
/** weft_stream_read() for `milliseconds` at most. */
int weft_stream_read_for(weft_stream* stream, void* to, size_t size, size_t* got,
                         uint64_t milliseconds);
/** Suspends until all is written. */
int weft_stream_write(weft_stream* stream, const void* from, size_t size);
/** weft_stream_write() for `milliseconds` at most. */
int weft_stream_write_for(weft_stream* stream, const void* from, size_t size,
                          uint64_t milliseconds);
/** Shuts down sending: the peer reads the end, and this side can still read. */
int weft_stream_end(weft_stream* stream);
/** -1 if `stream` is closed. */
int weft_stream_descriptor(const weft_stream* stream);
/** Waiting calls return WEFT_CLOSED; later ones WEFT_FAILED with EBADF. */
void weft_stream_close(weft_stream* stream);
/** Also closes the stream. */
void weft_stream_release(weft_stream* stream);

/** Suspends while the name of `host` is looked up. Port 0: the system chooses one. */
int weft_tcp_listen(weft_listener** listener, const char* host, uint16_t port);
/** `path` must not exist, and is removed when the listener closes. */
int weft_unix_listen(weft_listener** listener, const char* path);
/** Suspends until a peer has connected. */
int weft_listener_accept(weft_listener* listener, weft_stream** stream);
/** weft_listener_accept() for `milliseconds` at most. */
int weft_listener_accept_for(weft_listener* listener, weft_stream** stream, uint64_t milliseconds);
/** 0 for a unix socket, and after it was closed. */
uint16_t weft_listener_port(const weft_listener* listener);
/** Like weft_stream_close. */
void weft_listener_close(weft_listener* listener);
/** Also closes the listener. */
void weft_listener_release(weft_listener* listener);

/** What a descriptor can be ready for. */
enum weft_poll_mask {
  WEFT_READABLE = 1,   /**< reading would not wait */
  WEFT_WRITABLE = 2,   /**< writing would not wait */
  WEFT_DISCONNECT = 4, /**< the peer has closed its side; reported whether wanted or not */
  WEFT_PRIORITIZED = 8 /**< out-of-band data */
};

/** Suspends until `descriptor`, from any library, is ready for something in the mask `wanted`;
 * *ready says for what. It must stay open meanwhile. */
int weft_poll(int descriptor, unsigned wanted, unsigned* ready);
/** weft_poll() for `milliseconds` at most. */
int weft_poll_for(int descriptor, unsigned wanted, unsigned* ready, uint64_t milliseconds);

/* Deadlock reports show where coroutines were started and wait. Each function below is the one
 * without _at, with that place: `file` must live as long as the program, and NULL is no place.
 * C programs need not call them: the macros at the end pass the line of the call. */
/** weft_spawn() at `line` of `file`. */
int weft_spawn_at(weft_coroutine** coroutine, weft_body body, void* data, const char* file,
                  unsigned line);
/** weft_await() at `line` of `file`. */
int weft_await_at(weft_coroutine* coroutine, void** result, const char* file, unsigned line);
/** weft_await_for() at `line` of `file`. */
int weft_await_for_at(weft_coroutine* coroutine, uint64_t milliseconds, void** result,
                      const char* file, unsigned line);
/** weft_suspend() at `line` of `file`. */
int weft_suspend_at(const char* file, unsigned line);
/** weft_delay() at `line` of `file`. */
int weft_delay_at(uint64_t milliseconds, const char* file, unsigned line);
/** weft_channel_create() at `line` of `file`. */
int weft_channel_create_at(weft_channel** channel, size_t capacity, const char* file,
                           unsigned line);
/** weft_channel_send() at `line` of `file`. */
int weft_channel_send_at(weft_channel* channel, void* value, const char* file, unsigned line);
/** weft_channel_send_for() at `line` of `file`. */
int weft_channel_send_for_at(weft_channel* channel, void* value, uint64_t milliseconds,
                             const char* file, unsigned line);
/** weft_channel_recv() at `line` of `file`. */
int weft_channel_recv_at(weft_channel* channel, void** value, const char* file, unsigned line);
/** weft_channel_recv_for() at `line` of `file`. */
int weft_channel_recv_for_at(weft_channel* channel, void** value, uint64_t milliseconds,
                             const char* file, unsigned line);
/** weft_future_await() at `line` of `file`. */
int weft_future_await_at(weft_future* future, void** value, const char* file, unsigned line);
/** weft_future_await_for() at `line` of `file`. */
int weft_future_await_for_at(weft_future* future, uint64_t milliseconds, void** value,
                             const char* file, unsigned line);
/** weft_timer_await() at `line` of `file`. */
int weft_timer_await_at(weft_timer* timer, const char* file, unsigned line);
/** weft_poll() at `line` of `file`. */
int weft_poll_at(int descriptor, unsigned wanted, unsigned* ready, const char* file, unsigned line);
/** weft_poll_for() at `line` of `file`. */
int weft_poll_for_at(int descriptor, unsigned wanted, unsigned* ready, uint64_t milliseconds,
                     const char* file, unsigned line);
/** weft_tcp_listen() at `line` of `file`. */
int weft_tcp_listen_at(weft_listener** listener, const char* host, uint16_t port, const char* file,
                       unsigned line);
/** weft_listener_accept() at `line` of `file`. */
int weft_listener_accept_at(weft_listener* listener, weft_stream** stream, const char* file,
                            unsigned line);
/** weft_listener_accept_for() at `line` of `file`. */
int weft_listener_accept_for_at(weft_listener* listener, weft_stream** stream,
                                uint64_t milliseconds, const char* file, unsigned line);
/** weft_tcp_connect() at `line` of `file`. */
int weft_tcp_connect_at(weft_stream** stream, const char* host, uint16_t port, const char* file,
                        unsigned line);
/** weft_tcp_connect_for() at `line` of `file`. */
int weft_tcp_connect_for_at(weft_stream** stream, const char* host, uint16_t port,
                            uint64_t milliseconds, const char* file, unsigned line);
/** weft_unix_connect() at `line` of `file`. */
int weft_unix_connect_at(weft_stream** stream, const char* path, const char* file, unsigned line);
/** weft_unix_connect_for() at `line` of `file`. */
int weft_unix_connect_for_at(weft_stream** stream, const char* path, uint64_t milliseconds,
                             const char* file, unsigned line);
/** weft_stream_read() at `line` of `file`. */
int weft_stream_read_at(weft_stream* stream, void* to, size_t size, size_t* got, const char* file,
                        unsigned line);
/** weft_stream_read_for() at `line` of `file`. */
int weft_stream_read_for_at(weft_stream* stream, void* to, size_t size, size_t* got,
                            uint64_t milliseconds, const char* file, unsigned line);
/** weft_stream_write() at `line` of `file`. */
int weft_stream_write_at(weft_stream* stream, const void* from, size_t size, const char* file,
                         unsigned line);
/** weft_stream_write_for() at `line` of `file`. */
int weft_stream_write_for_at(weft_stream* stream, const void* from, size_t size,
                             uint64_t milliseconds, const char* file, unsigned line);

#ifdef __cplusplus
}
#endif

#ifndef WEFT_NO_PLACES /* defined before this header: plain functions without places */
#define weft_spawn(coroutine, body, data) \
  weft_spawn_at((coroutine), (body), (data), __FILE__, __LINE__)
#define weft_await(coroutine, result) weft_await_at((coroutine), (result), __FILE__, __LINE__)
#define weft_await_for(coroutine, milliseconds, result) \
  weft_await_for_at((coroutine), (milliseconds), (result), __FILE__, __LINE__)
#define weft_suspend() weft_suspend_at(__FILE__, __LINE__)
#define weft_delay(milliseconds) weft_delay_at((milliseconds), __FILE__, __LINE__)
#define weft_channel_create(channel, capacity) \
  weft_channel_create_at((channel), (capacity), __FILE__, __LINE__)
#define weft_channel_send(channel, value) \
  weft_channel_send_at((channel), (value), __FILE__, __LINE__)
#define weft_channel_send_for(channel, value, milliseconds) \
  weft_channel_send_for_at((channel), (value), (milliseconds), __FILE__, __LINE__)
#define weft_channel_recv(channel, value) \
  weft_channel_recv_at((channel), (value), __FILE__, __LINE__)
#define weft_channel_recv_for(channel, value, milliseconds) \
  weft_channel_recv_for_at((channel), (value), (milliseconds), __FILE__, __LINE__)
#define weft_future_await(future, value) weft_future_await_at((future), (value), __FILE__, __LINE__)
#define weft_future_await_for(future, milliseconds, value) \
  weft_future_await_for_at((future), (milliseconds), (value), __FILE__, __LINE__)
#define weft_timer_await(timer) weft_timer_await_at((timer), __FILE__, __LINE__)
#define weft_poll(descriptor, wanted, ready) \
  weft_poll_at((descriptor), (wanted), (ready), __FILE__, __LINE__)
#define weft_poll_for(descriptor, wanted, ready, milliseconds) \
  weft_poll_for_at((descriptor), (wanted), (ready), (milliseconds), __FILE__, __LINE__)
#define weft_tcp_listen(listener, host, port) \
  weft_tcp_listen_at((listener), (host), (port), __FILE__, __LINE__)
#define weft_listener_accept(listener, stream) \
  weft_listener_accept_at((listener), (stream), __FILE__, __LINE__)
#define weft_listener_accept_for(listener, stream, milliseconds) \
  weft_listener_accept_for_at((listener), (stream), (milliseconds), __FILE__, __LINE__)
#define weft_tcp_connect(stream, host, port) \
  weft_tcp_connect_at((stream), (host), (port), __FILE__, __LINE__)
#define weft_tcp_connect_for(stream, host, port, milliseconds) \
  weft_tcp_connect_for_at((stream), (host), (port), (milliseconds), __FILE__, __LINE__)
#define weft_unix_connect(stream, path) weft_unix_connect_at((stream), (path), __FILE__, __LINE__)
#define weft_unix_connect_for(stream, path, milliseconds) \
  weft_unix_connect_for_at((stream), (path), (milliseconds), __FILE__, __LINE__)
#define weft_stream_read(stream, to, size, got) \
  weft_stream_read_at((stream), (to), (size), (got), __FILE__, __LINE__)
#define weft_stream_read_for(stream, to, size, got, milliseconds) \
  weft_stream_read_for_at((stream), (to), (size), (got), (milliseconds), __FILE__, __LINE__)
#define weft_stream_write(stream, from, size) \
  weft_stream_write_at((stream), (from), (size), __FILE__, __LINE__)
#define weft_stream_write_for(stream, from, size, milliseconds) \
  weft_stream_write_for_at((stream), (from), (size), (milliseconds), __FILE__, __LINE__)
#endif
