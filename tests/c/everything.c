/* A C11 program that uses the whole C interface, and prints what was wrong and where. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "weft/c/weft.h"

static int failures = 0;

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

static int one = 1;
static int two = 2;

/* Results and codes; a coroutine that is not awaited. */
static int give_back(void* data, void** result) {
  *result = data;
  return weft_delay(5);
}

static int fail_with_own_code(void* data, void** result) {
  (void)data, (void)result;
  return WEFT_OWN_CODES + 7;
}

static int count(void* data, void** result) {
  (void)result;
  const int code = weft_suspend();
  ++*(int*)data;
  return code;
}

static void coroutines(void) {
  weft_coroutine* coroutine = NULL;
  void* result = NULL;
  EXPECT(weft_spawn(&coroutine, give_back, &one) == WEFT_OK);
  EXPECT(weft_is_completed(coroutine) == 0);
  EXPECT(weft_await(coroutine, &result) == WEFT_OK);
  EXPECT(result == &one);
  EXPECT(weft_is_completed(coroutine) == 1);
  EXPECT(weft_await(coroutine, NULL) == WEFT_OK);
  weft_release(coroutine);

  EXPECT(weft_spawn(&coroutine, fail_with_own_code, NULL) == WEFT_OK);
  EXPECT(weft_await(coroutine, &result) == WEFT_OWN_CODES + 7);
  EXPECT(result == NULL);
  weft_release(coroutine);

  int counted = 0;
  EXPECT(weft_spawn(NULL, count, &counted) == WEFT_OK);
  EXPECT(weft_delay(1) == WEFT_OK);
  EXPECT(counted == 1);
}

/* Cancellation is a code; the clean-up may wait; the outcome is the cancellation. */
static int clean_up(void* data, void** result) {
  (void)result;
  const int code = weft_delay(100000);
  if (code == WEFT_CANCELLED) {
    *(int*)data = weft_delay(1) == WEFT_OK ? 2 : 1;
    return WEFT_OK;
  }
  return code;
}

static int wait_for_ever(void* data, void** result) {
  (void)result;
  return weft_channel_recv(data, NULL);
}

static void cancellation(void) {
  weft_coroutine* coroutine = NULL;
  int cleaned = 0;
  EXPECT(weft_spawn(&coroutine, clean_up, &cleaned) == WEFT_OK);
  EXPECT(weft_suspend() == WEFT_OK);
  weft_cancel(coroutine);
  EXPECT(weft_await(coroutine, NULL) == WEFT_CANCELLED);
  EXPECT(cleaned == 2);
  weft_release(coroutine);

  weft_channel* channel = NULL;
  EXPECT(weft_channel_create(&channel, 0) == WEFT_OK);
  EXPECT(weft_spawn(&coroutine, wait_for_ever, channel) == WEFT_OK);
  EXPECT(weft_await_for(coroutine, 2, NULL) == WEFT_TIMED_OUT);
  weft_cancel(coroutine);
  EXPECT(weft_await_for(coroutine, 1000, NULL) == WEFT_CANCELLED);
  weft_release(coroutine);
  weft_channel_release(channel);
}

/* Channels: rendezvous, buffer, close and drain, every form. */
static int produce(void* data, void** result) {
  (void)result;
  int code = weft_channel_send(data, &one);
  if (code == WEFT_OK) code = weft_channel_send(data, &two);
  weft_channel_close(data);
  return code;
}

static void channels(void) {
  weft_channel* channel = NULL;
  weft_coroutine* producer = NULL;
  void* value = NULL;
  EXPECT(weft_channel_create(&channel, 0) == WEFT_OK);
  EXPECT(weft_spawn(&producer, produce, channel) == WEFT_OK);
  EXPECT(weft_channel_recv(channel, &value) == WEFT_OK && value == &one);
  EXPECT(weft_channel_recv(channel, &value) == WEFT_OK && value == &two);
  EXPECT(weft_channel_recv(channel, &value) == WEFT_CLOSED && value == NULL);
  EXPECT(weft_channel_send(channel, &one) == WEFT_CLOSED);
  EXPECT(weft_channel_try_send(channel, &one) == WEFT_CLOSED);
  EXPECT(weft_channel_try_recv(channel, &value) == WEFT_CLOSED);
  EXPECT(weft_await(producer, NULL) == WEFT_OK);
  weft_release(producer);
  weft_channel_release(channel);

  EXPECT(weft_channel_create(&channel, 1) == WEFT_OK);
  EXPECT(weft_channel_try_recv(channel, &value) == WEFT_WOULD_WAIT);
  EXPECT(weft_channel_recv_for(channel, &value, 1) == WEFT_TIMED_OUT);
  EXPECT(weft_channel_try_send(channel, &one) == WEFT_OK);
  EXPECT(weft_channel_try_send(channel, &two) == WEFT_WOULD_WAIT);
  EXPECT(weft_channel_send_for(channel, &two, 1) == WEFT_TIMED_OUT);
  EXPECT(weft_channel_size(channel) == 1);
  EXPECT(weft_channel_try_recv(channel, &value) == WEFT_OK && value == &one);
  EXPECT(weft_channel_send_for(channel, &two, 1) == WEFT_OK);
  weft_channel_close(channel);
  EXPECT(weft_channel_recv_for(channel, &value, 1) == WEFT_OK && value == &two);
  weft_channel_release(channel);
}

static int complete_later(void* data, void** result) {
  (void)result;
  const int code = weft_delay(3);
  return code == WEFT_OK ? weft_future_complete(data, &two) : code;
}

static void futures(void) {
  weft_future* future = NULL;
  void* value = NULL;
  EXPECT(weft_future_create(&future) == WEFT_OK);
  EXPECT(weft_spawn(NULL, complete_later, future) == WEFT_OK);
  EXPECT(weft_future_is_completed(future) == 0);
  EXPECT(weft_future_await_for(future, 1, &value) == WEFT_TIMED_OUT);
  EXPECT(weft_future_await(future, &value) == WEFT_OK && value == &two);
  EXPECT(weft_future_await(future, &value) == WEFT_OK && value == &two);
  EXPECT(weft_future_is_completed(future) == 1);
  EXPECT(weft_future_complete(future, &one) == WEFT_MISUSE);
  EXPECT(strcmp(weft_error_text(), "Future is already completed") == 0);
  weft_future_release(future);

  EXPECT(weft_future_create(&future) == WEFT_OK);
  EXPECT(weft_future_fail(future, WEFT_OK) == WEFT_MISUSE);
  EXPECT(weft_future_await_for(future, 0, &value) == WEFT_MISUSE);
  EXPECT(weft_future_fail(future, WEFT_OWN_CODES + 1) == WEFT_OK);
  EXPECT(weft_future_await(future, &value) == WEFT_OWN_CODES + 1 && value == NULL);
  EXPECT(strcmp(weft_error_text(), "failed with the code 1001") == 0);
  weft_future_release(future);

  EXPECT(weft_future_create(&future) == WEFT_OK);
  EXPECT(weft_future_cancel(future) == WEFT_OK);
  EXPECT(weft_future_await(future, NULL) == WEFT_CANCELLED);
  weft_future_release(future);
}

static void timers(void) {
  weft_timer* timer = NULL;
  EXPECT(weft_timer_create(&timer, 0) == WEFT_MISUSE);
  EXPECT(weft_timer_create(&timer, 1) == WEFT_OK);
  EXPECT(weft_timer_await(timer) == WEFT_OK);
  EXPECT(weft_timer_await(timer) == WEFT_OK);
  weft_timer_release(timer);
}

/* Sockets: two ends in one program, time limits, the end, errors of the system. */
static int serve_one(void* data, void** result) {
  (void)result;
  weft_stream* stream = NULL;
  char bytes[16];
  size_t got = 0;
  int code = weft_listener_accept(data, &stream);
  if (code != WEFT_OK) return code;
  while ((code = weft_stream_read(stream, bytes, sizeof bytes, &got)) == WEFT_OK && got > 0) {
    if ((code = weft_stream_write(stream, bytes, got)) != WEFT_OK) break;
  }
  weft_stream_release(stream);
  return code;
}

static void talk(weft_listener* listener, weft_stream* stream, weft_coroutine* server) {
  char bytes[16];
  size_t got = 0;
  EXPECT(weft_stream_descriptor(stream) >= 0);
  EXPECT(weft_stream_read_for(stream, bytes, sizeof bytes, &got, 2) == WEFT_TIMED_OUT);
  EXPECT(weft_stream_write(stream, "echo", 4) == WEFT_OK);
  EXPECT(weft_stream_read(stream, bytes, sizeof bytes, &got) == WEFT_OK);
  EXPECT(got == 4 && memcmp(bytes, "echo", 4) == 0);
  EXPECT(weft_stream_write_for(stream, "!", 1, 0) == WEFT_MISUSE);
  EXPECT(weft_stream_write_for(stream, "!", 1, 1000) == WEFT_OK);
  EXPECT(weft_stream_end(stream) == WEFT_OK);
  EXPECT(weft_stream_read_for(stream, bytes, sizeof bytes, &got, 1000) == WEFT_OK && got == 1);
  EXPECT(weft_stream_read(stream, bytes, sizeof bytes, &got) == WEFT_OK && got == 0);
  EXPECT(weft_await(server, NULL) == WEFT_OK);
  weft_stream_close(stream);
  EXPECT(weft_stream_descriptor(stream) == -1);
  EXPECT(weft_stream_read(stream, bytes, sizeof bytes, &got) == WEFT_FAILED);
  EXPECT(weft_error_number() == EBADF);
  weft_stream_release(stream);
  weft_release(server);
  weft_listener_release(listener);
}

static int accept_once(void* data, void** result) {
  (void)result;
  weft_stream* stream = NULL;
  return weft_listener_accept(data, &stream);
}

static void sockets(void) {
  weft_listener* listener = NULL;
  weft_stream* stream = NULL;
  weft_coroutine* server = NULL;
  EXPECT(weft_tcp_listen(&listener, "127.0.0.1", 0) == WEFT_OK);
  const uint16_t port = weft_listener_port(listener);
  EXPECT(port != 0);
  EXPECT(weft_listener_accept_for(listener, &stream, 1) == WEFT_TIMED_OUT && stream == NULL);
  EXPECT(weft_spawn(&server, serve_one, listener) == WEFT_OK);
  EXPECT(weft_tcp_connect(&stream, "127.0.0.1", port) == WEFT_OK);
  talk(listener, stream, server);
  EXPECT(weft_tcp_connect_for(&stream, "127.0.0.1", port, 1000) == WEFT_FAILED && stream == NULL);
  EXPECT(weft_error_number() == ECONNREFUSED);
  EXPECT(strlen(weft_error_text()) > 0);
  EXPECT(weft_tcp_connect_for(&stream, "127.0.0.1", port, 0) == WEFT_MISUSE);
  EXPECT(weft_error_number() == 0);
  char no_name[71]; /* a label is shorter */
  memset(no_name, 'x', sizeof no_name - 1);
  no_name[sizeof no_name - 1] = '\0';
  EXPECT(weft_tcp_connect(&stream, no_name, port) == WEFT_FAILED);
  EXPECT(weft_error_number() == 0); /* the lookup of a name has codes of its own */

  char path[] = "weft-c-XXXXXX";
  EXPECT(mkdtemp(path) != NULL);
  EXPECT(chdir(path) == 0);
  EXPECT(weft_unix_listen(&listener, "socket") == WEFT_OK);
  EXPECT(weft_listener_port(listener) == 0);
  EXPECT(weft_spawn(&server, serve_one, listener) == WEFT_OK);
  EXPECT(weft_unix_connect(&stream, "socket") == WEFT_OK);
  talk(listener, stream, server);
  EXPECT(weft_unix_connect_for(&stream, "socket", 1000) == WEFT_FAILED);
  EXPECT(weft_error_number() == ENOENT);
  EXPECT(chdir("..") == 0);
  EXPECT(rmdir(path) == 0);

  EXPECT(weft_tcp_listen(&listener, "127.0.0.1", 0) == WEFT_OK);
  EXPECT(weft_spawn(&server, accept_once, listener) == WEFT_OK);
  EXPECT(weft_suspend() == WEFT_OK);
  weft_listener_close(listener);
  EXPECT(weft_await(server, NULL) == WEFT_CLOSED);
  EXPECT(weft_listener_port(listener) == 0);
  weft_release(server);
  weft_listener_release(listener);
}

/* Readiness of foreign descriptors. */
static void polls(void) {
  int ends[2];
  unsigned ready = 99;
  char byte = 0;
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  EXPECT(weft_poll(ends[0], WEFT_WRITABLE, &ready) == WEFT_OK && ready == WEFT_WRITABLE);
  EXPECT(weft_poll_for(ends[0], WEFT_READABLE, &ready, 1) == WEFT_TIMED_OUT && ready == 0);
  EXPECT(write(ends[1], "x", 1) == 1);
  EXPECT(weft_poll(ends[0], WEFT_READABLE | WEFT_DISCONNECT, &ready) == WEFT_OK);
  EXPECT(ready == WEFT_READABLE);
  EXPECT(read(ends[0], &byte, 1) == 1);
  EXPECT(weft_poll(ends[0], 0, &ready) == WEFT_MISUSE);

  weft_stream* stream = NULL;
  size_t got = 0;
  EXPECT(weft_stream_adopt(&stream, ends[0]) == WEFT_OK);
  EXPECT(write(ends[1], "y", 1) == 1);
  EXPECT(weft_stream_read(stream, &byte, 1, &got) == WEFT_OK && got == 1 && byte == 'y');
  weft_stream_release(stream);
  EXPECT(weft_poll(ends[1], WEFT_DISCONNECT, &ready) == WEFT_OK);
  EXPECT((ready & WEFT_DISCONNECT) != 0);
  EXPECT(close(ends[1]) == 0);
  EXPECT(weft_stream_adopt(&stream, -1) == WEFT_FAILED && weft_error_number() == EBADF);
}

static int everything(void* data, void** result) {
  coroutines();
  cancellation();
  channels();
  futures();
  timers();
  sockets();
  polls();
  *result = data;
  return WEFT_OK;
}

static int wait_without_sender(void* data, void** result) {
  (void)data, (void)result;
  weft_channel* channel = NULL;
  EXPECT(weft_channel_create(&channel, 0) == WEFT_OK);
  EXPECT(weft_channel_recv(channel, NULL) == WEFT_CANCELLED);
  weft_channel_release(channel);
  return WEFT_OK;
}

int main(void) {
  void* result = NULL;
  EXPECT(weft_run(everything, &one, &result) == WEFT_OK);
  EXPECT(result == &one);
  EXPECT(weft_run(fail_with_own_code, NULL, NULL) == WEFT_OWN_CODES + 7);
  EXPECT(weft_run(wait_without_sender, NULL, NULL) == WEFT_DEADLOCK);
  EXPECT(weft_spawn(NULL, count, NULL) == WEFT_MISUSE);
  EXPECT(weft_delay(1) == WEFT_MISUSE);
  EXPECT(weft_suspend() == WEFT_MISUSE);
  for (int code = WEFT_OK; code <= WEFT_FAILED; ++code) EXPECT(strlen(weft_strerror(code)) > 0);
  EXPECT(strcmp(weft_strerror(WEFT_OWN_CODES), weft_strerror(-1)) != 0);
  return failures == 0 ? 0 : 1;
}
