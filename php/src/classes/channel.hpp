#pragma once

#include <optional>

#include "object.hpp"
#include "value.hpp"

namespace weft_php {

/// Async\Channel: the object is the channel.
class ChannelObject final : public Object {
 public:
  ChannelObject() noexcept = default;
  ~ChannelObject() override = default;

  class Core final : public weft::HostChannel<Value> {
   public:
    Core(ChannelObject& object, std::size_t capacity, const weft::ChannelOptions& options,
         weft::Place place)
        : weft::HostChannel<Value>{capacity, options, place}, object_{object} {}
    ~Core() override = default;

   private:
    void host_retain() noexcept override { GC_ADDREF(object_.self()); }
    void host_release() noexcept override;
    [[nodiscard]] void* host_object() const noexcept override { return &object_; }
    ChannelObject& object_;
  };

  void begin(std::size_t capacity, const weft::ChannelOptions& options, weft::Place place) {
    core_.emplace(*this, capacity, options, place);
  }
  [[nodiscard]] Core* channel() noexcept { return core_ ? &*core_ : nullptr; }
  [[nodiscard]] weft::Event* event() override {
    return core_ ? &static_cast<weft::Event&>(*core_) : nullptr;
  }
  void add_references(zend_get_gc_buffer* buffer) override;
  void last_reference_went() override { core_.reset(); }

 private:
  std::optional<Core> core_;
};

}  // namespace weft_php
