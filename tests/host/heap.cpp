#include "host/heap.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "weft/extend/host.hpp"

namespace toy {

Object::Object(Heap& heap) : heap_{heap} { heap_.objects_.push_back(this); }

Object::~Object() {
  clear_fields();
  auto& all = heap_.objects_;
  all.erase(std::find(all.begin(), all.end(), this));
}

void Object::add_field(Object& object) {
  object.retain();
  fields_.push_back(&object);
}

void Object::clear_fields() noexcept {
  for (Object* field : std::exchange(fields_, {})) field->release();
}

void Object::release() noexcept {
  ASSERT_GT(references_, 0U) << "an object was released more often than it was retained";
  if (--references_ == 0) heap_.last_reference_went(*this);
}

Heap::~Heap() {
  sweep();
  EXPECT_EQ(objects_.size(), 0U) << "objects of the host outlived their last reference";
}

void Heap::last_reference_went(Object& object) noexcept {
  if (object.doomed_) return;
  object.doomed_ = true;
  doomed_.push_back(&object);
  if (weft::can_suspend()) {
    sweep();
  } else {
    ++kept_;
  }
}

void Heap::sweep() noexcept {
  while (!doomed_.empty()) {
    Object& object = *doomed_.back();
    doomed_.pop_back();
    object.doomed_ = false;
    if (object.references_ == 0) destroy(object);
  }
}

void Heap::destroy(Object& object) noexcept {
  object.finalize();
  if (object.references_ == 0) delete &object;
}

std::size_t Heap::collect() noexcept {
  for (Object* object : objects_) {
    object->from_fields_ = 0;
    object->reached_ = false;
  }
  for (const Object* object : objects_) {
    object->see([](Object& seen) { ++seen.from_fields_; });
  }
  std::vector<Object*> reached;
  for (Object* object : objects_) {
    EXPECT_GE(object->references_, object->from_fields_) << "a reference was seen too often";
    if (object->references_ > object->from_fields_) reached.push_back(object);
  }
  while (!reached.empty()) {
    Object& object = *reached.back();
    reached.pop_back();
    if (std::exchange(object.reached_, true)) continue;
    object.see([&](Object& seen) { reached.push_back(&seen); });
  }
  std::vector<Handle<Object>> garbage;
  for (Object* object : objects_) {
    if (!object->reached_ && !object->doomed_) garbage.emplace_back(*object);
  }
  for (const Handle<Object>& object : garbage) object->clear_references();
  return garbage.size();
}

}  // namespace toy
