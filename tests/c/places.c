/* A C11 program whose coroutines wait for ever: the report of the deadlock says where, in this file. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "weft/c/weft.h"

static int failures = 0;
static char report[16384];

static void expect(const char* format, int first, int second) {
  char text[512];
  snprintf(text, sizeof text, format, __FILE__, first, __FILE__, second);
  if (strstr(report, text) != NULL) return;
  printf("not in the report: %s\n", text);
  ++failures;
}

static int created, received, spawned, awaited, plain;

static int wait_for_ever(void* data, void** result) {
  (void)result;
  return received = __LINE__, weft_channel_recv(data, NULL);
}

/* A call from another language, which has no line in a C file. */
static int wait_without_a_place(void* data, void** result) {
  (void)result;
  return (weft_channel_recv)(data, NULL);
}

static int body(void* data, void** result) {
  (void)data, (void)result;
  weft_channel* channel = NULL;
  weft_coroutine* coroutine = NULL;
  created = __LINE__, weft_channel_create(&channel, 0);
  spawned = __LINE__, weft_spawn(&coroutine, wait_for_ever, channel);
  plain = __LINE__, weft_spawn(NULL, wait_without_a_place, channel);
  awaited = __LINE__, weft_await(coroutine, NULL);
  weft_release(coroutine);
  weft_delay(1); /* the other one lets go of the channel */
  weft_channel_release(channel);
  return WEFT_OK;
}

int main(void) {
  char path[] = "/tmp/weft-places-XXXXXX";
  const int descriptor = mkstemp(path);
  if (descriptor < 0 || dup2(descriptor, STDERR_FILENO) < 0) return 2;
  const int code = weft_run(body, NULL, NULL);
  fflush(stderr);
  if (lseek(descriptor, 0, SEEK_SET) != 0 || read(descriptor, report, sizeof report - 1) < 0) return 2;
  unlink(path);
  if (code != WEFT_DEADLOCK) ++failures, printf("weft_run returned %d\n", code);
  expect("spawned at %s:%d, suspended at %s:%d", spawned, received);
  expect("spawned at %s:%d, suspended\n", plain, 0);
  expect("suspended at %s:%d (main)", awaited, 0);
  expect("created at %s:%d", created, 0);
  if (failures != 0) printf("%s\n", report);
  return failures == 0 ? 0 : 1;
}
