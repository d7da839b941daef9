#include "weft/channel.hpp"

#include "c/guard.hpp"
#include "weft/timeout.hpp"

using weft::c::give;
using weft::c::guarded;
using weft::c::milliseconds;

struct weft_channel {
  weft_channel(std::size_t capacity, weft::Place place) : channel{capacity, {}, place} {}
  weft::Channel<void*> channel;
};

extern "C" {

int weft_channel_create_at(weft_channel** channel, size_t capacity, const char* file,
                           unsigned line) {
  *channel = nullptr;
  return guarded([&] { *channel = new weft_channel{capacity, {file, line}}; });
}

int weft_channel_create(weft_channel** channel, size_t capacity) {
  return weft_channel_create_at(channel, capacity, nullptr, 0);
}

int weft_channel_send_at(weft_channel* channel, void* value, const char* file, unsigned line) {
  return guarded([&] { channel->channel.send(value, {}, {file, line}); });
}

int weft_channel_send(weft_channel* channel, void* value) {
  return weft_channel_send_at(channel, value, nullptr, 0);
}

int weft_channel_send_for_at(weft_channel* channel, void* value, uint64_t time, const char* file,
                             unsigned line) {
  return guarded([&] {
    channel->channel.send(value, weft::timeout(milliseconds(time)), {file, line});
  });
}

int weft_channel_send_for(weft_channel* channel, void* value, uint64_t time) {
  return weft_channel_send_for_at(channel, value, time, nullptr, 0);
}

int weft_channel_recv_at(weft_channel* channel, void** value, const char* file, unsigned line) {
  give(value, nullptr);
  return guarded([&] { give(value, channel->channel.recv({}, {file, line})); });
}

int weft_channel_recv(weft_channel* channel, void** value) {
  return weft_channel_recv_at(channel, value, nullptr, 0);
}

int weft_channel_recv_for_at(weft_channel* channel, void** value, uint64_t time, const char* file,
                             unsigned line) {
  give(value, nullptr);
  return guarded([&] {
    give(value, channel->channel.recv(weft::timeout(milliseconds(time)), {file, line}));
  });
}

int weft_channel_recv_for(weft_channel* channel, void** value, uint64_t time) {
  return weft_channel_recv_for_at(channel, value, time, nullptr, 0);
}

int weft_channel_try_send(weft_channel* channel, void* value) {
  bool sent = false;
  const int code = guarded([&] { sent = channel->channel.try_send(value); });
  if (code != WEFT_OK || sent) return code;
  return channel->channel.is_closed() ? WEFT_CLOSED : WEFT_WOULD_WAIT;
}

int weft_channel_try_recv(weft_channel* channel, void** value) {
  give(value, nullptr);
  std::optional<void*> found;
  const int code = guarded([&] { found = channel->channel.try_recv(); });
  if (code != WEFT_OK) return code;
  if (!found) return channel->channel.is_closed() ? WEFT_CLOSED : WEFT_WOULD_WAIT;
  give(value, *found);
  return WEFT_OK;
}

size_t weft_channel_size(const weft_channel* channel) { return channel->channel.size(); }

void weft_channel_close(weft_channel* channel) { channel->channel.close(); }

void weft_channel_release(weft_channel* channel) { delete channel; }

}  // extern "C"
