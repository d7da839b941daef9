#include "classes/channel.hpp"

#include <chrono>
#include <limits>

#include "boundary.hpp"
#include "classes.hpp"
#include "classes/future.hpp"
#include "parameters.hpp"
#include "place.hpp"
#include "value_iterator.hpp"

namespace weft_php {

void ChannelObject::add_references(zend_get_gc_buffer* buffer) {
  if (!core_) return;
  weft::for_each_held(static_cast<const weft::Channel<Value>&>(*core_),
                      [buffer](const Value& value) { value.add_to(buffer); });
}

void ChannelObject::Core::host_release() noexcept {
  zval object;
  ZVAL_OBJ(&object, object_.self());
  drop(object);
}

namespace {

constexpr zend_long most_slots = std::numeric_limits<std::int32_t>::max();

/// Null, with an exception, if the constructor has not run or the request is over.
ChannelObject::Core* self_of(zval* self) {
  auto& object = static_cast<ChannelObject&>(Object::of(self));
  if (object.channel() != nullptr && request != nullptr) return object.channel();
  zend_throw_exception(ce_Async_ChannelException, "Channel disposed", 0);
  return nullptr;
}

/// `foreach ($channel as $value)`: ends when the channel was closed by close() and is empty.
struct Values {
  static constexpr const char* by_reference = "Cannot iterate channel by reference";
  static constexpr bool null_keys = true;
  static void next(zval* object, zval* target) {
    ChannelObject::Core* const channel = self_of(object);
    if (channel == nullptr) return;
    const weft::Place place = place_here();
    (void)wait_in_runtime([&] {
      try {
        Value value = channel->recv({}, place);
        ZVAL_COPY(target, value.get());
      } catch (const weft::ChannelClosed& closed) {
        if (closed.reason() != weft::CloseReason::explicitly) throw;
      }
    });
  }
};

bool expect_range(zend_long value, std::uint32_t number) {
  if (value >= 0 && value <= most_slots) return true;
  zend_argument_value_error(number, "must be between 0 and " ZEND_LONG_FMT, most_slots);
  return false;
}

/// Reads an optional token; none is an empty one. False, with an exception, if it has no event.
bool read_token(zend_object* given, weft::Token& token) {
  if (given == nullptr) return true;
  weft::Event* const event = event_of(given);
  if (event != nullptr) token = weft::Token{*event};
  return event != nullptr;
}

}  // namespace

void set_up_channel() {
  ce_Async_Channel->create_object = ObjectKind<ChannelObject>::create;
  ce_Async_Channel->get_iterator = ValueIterator<Values>::make;
}

}  // namespace weft_php

using namespace weft_php;

ZEND_METHOD(Async_Channel, __construct) {
  zend_long capacity = 0;
  zend_long no_producer = 0;
  zend_long no_consumer = 0;
  bool hard = false;
  ZEND_PARSE_PARAMETERS_START(0, 4)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(capacity)
  Z_PARAM_LONG(no_producer)
  Z_PARAM_LONG(no_consumer)
  Z_PARAM_BOOL(hard)
  ZEND_PARSE_PARAMETERS_END();
  if (!expect_range(capacity, 1) || !expect_range(no_producer, 2) ||
      !expect_range(no_consumer, 3) || !start()) {
    RETURN_THROWS();
  }
  auto& self = static_cast<ChannelObject&>(Object::of(ZEND_THIS));
  if (self.channel() != nullptr) {
    zend_throw_error(nullptr, "Async\\Channel is constructed already");
    RETURN_THROWS();
  }
  weft::ChannelOptions options;
  options.no_producer = std::chrono::milliseconds{no_producer};
  options.no_consumer = std::chrono::milliseconds{no_consumer};
  options.hard = hard;
  const weft::Place place = place_here();
  (void)in_runtime([&] { self.begin(static_cast<std::size_t>(capacity), options, place); });
}

ZEND_METHOD(Async_Channel, send) {
  zval* value = nullptr;
  zend_object* given = nullptr;
  weft::Token token;
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_ZVAL(value)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_Completable)
  ZEND_PARSE_PARAMETERS_END();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self == nullptr || !read_token(given, token)) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] { self->send(Value{*value}, token, place); });
}

ZEND_METHOD(Async_Channel, sendAsync) {
  zval* value = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(value)
  ZEND_PARSE_PARAMETERS_END();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  bool sent = false;
  (void)in_runtime([&] { sent = self->try_send(Value{*value}); });
  RETURN_BOOL(sent);
}

ZEND_METHOD(Async_Channel, recv) {
  zend_object* given = nullptr;
  weft::Token token;
  ZEND_PARSE_PARAMETERS_START(0, 1)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(given, ce_Async_Completable)
  ZEND_PARSE_PARAMETERS_END();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self == nullptr || !read_token(given, token)) RETURN_THROWS();
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] { self->recv(token, place).copy_to(return_value); });
}

ZEND_METHOD(Async_Channel, recvAsync) {
  ZEND_PARSE_PARAMETERS_NONE();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self == nullptr) RETURN_THROWS();
  auto& made = ObjectKind<FutureObject>::make(ce_Async_Future);
  ZVAL_OBJ(return_value, made.self());
  const weft::Place place = place_here();
  (void)in_runtime([&] { made.begin(self->recv_async(place)); });
}

ZEND_METHOD(Async_Channel, close) {
  ZEND_PARSE_PARAMETERS_NONE();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self != nullptr) (void)in_runtime([&] { self->close(); });
}
ZEND_METHOD(Async_Channel, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->is_closed());
}
ZEND_METHOD(Async_Channel, capacity) {
  ZEND_PARSE_PARAMETERS_NONE();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_LONG(static_cast<zend_long>(self->capacity()));
}
ZEND_METHOD(Async_Channel, count) {
  ZEND_PARSE_PARAMETERS_NONE();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_LONG(static_cast<zend_long>(self->size()));
}
ZEND_METHOD(Async_Channel, isEmpty) {
  ZEND_PARSE_PARAMETERS_NONE();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->is_empty());
}
ZEND_METHOD(Async_Channel, isFull) {
  ZEND_PARSE_PARAMETERS_NONE();
  ChannelObject::Core* const self = self_of(ZEND_THIS);
  if (self != nullptr) RETURN_BOOL(self->is_full());
}
ZEND_METHOD(Async_Channel, getIterator) {
  ZEND_PARSE_PARAMETERS_NONE();
  zend_create_internal_iterator_zval(return_value, ZEND_THIS);
}
