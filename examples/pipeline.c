// The C interface: coroutines, a channel, a deadline. Every call that can fail returns a code.

#include <stdio.h>

#include <weft/c/weft.h>

struct pipeline {
  weft_channel* numbers;
  int sum;
};

// Sends the squares of 1 to 4. A call that waits returns WEFT_CANCELLED when the coroutine is to end.
static int produce(void* data, void** result) {
  (void)result;
  struct pipeline* pipeline = data;
  static int squares[] = {1, 4, 9, 16};
  int code = WEFT_OK;
  for (size_t i = 0; code == WEFT_OK && i < 4; ++i)
    code = weft_channel_send(pipeline->numbers, &squares[i]);
  weft_channel_close(pipeline->numbers);
  return code;
}

// Receives until the channel is closed and empty.
static int consume(void* data, void** result) {
  struct pipeline* pipeline = data;
  void* number = NULL;
  int code = WEFT_OK;
  while ((code = weft_channel_recv(pipeline->numbers, &number)) == WEFT_OK)
    pipeline->sum += *(int*)number;
  *result = &pipeline->sum;
  return code == WEFT_CLOSED ? WEFT_OK : code;
}

static int wait_an_hour(void* data, void** result) {
  (void)data, (void)result;
  return weft_delay(60 * 60 * 1000);
}

// Spawns both ends of the pipeline and prints what came out of it.
static int run_pipeline(struct pipeline* pipeline) {
  weft_coroutine* producer = NULL;
  weft_coroutine* consumer = NULL;
  void* sum = NULL;
  int code = weft_spawn(&producer, produce, pipeline);
  if (code == WEFT_OK) code = weft_spawn(&consumer, consume, pipeline);
  if (code == WEFT_OK) code = weft_await(consumer, &sum);
  if (code == WEFT_OK) code = weft_await(producer, NULL);
  if (code == WEFT_OK) printf("sum of squares: %d\n", *(int*)sum);
  weft_release(consumer);
  weft_release(producer);
  return code;
}

// Waits ten milliseconds for what takes an hour, then asks it to end.
static int give_up(void) {
  weft_coroutine* slow = NULL;
  int code = weft_spawn(&slow, wait_an_hour, NULL);
  if (code != WEFT_OK) return code;
  code = weft_await_for(slow, 10, NULL);
  if (code == WEFT_TIMED_OUT) {
    printf("gave up: %s\n", weft_strerror(code));
    weft_cancel(slow);
    code = WEFT_OK;
  }
  weft_release(slow);
  return code;
}

static int main_body(void* data, void** result) {
  (void)data, (void)result;
  struct pipeline pipeline = {NULL, 0};
  int code = weft_channel_create(&pipeline.numbers, 2);
  if (code != WEFT_OK) return code;
  code = run_pipeline(&pipeline);
  weft_channel_release(pipeline.numbers);
  return code == WEFT_OK ? give_up() : code;
}

int main(void) {
  const int code = weft_run(main_body, NULL, NULL);
  if (code != WEFT_OK) fprintf(stderr, "%s: %s\n", weft_strerror(code), weft_error_text());
  return code;
}

// Prints:
//   sum of squares: 30
//   gave up: the time has passed
