#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace toy {

class Heap;

/// An object of the toy language: counted, and collected if it is part of a cycle. Its fields are
/// the references of the language; see() adds those that the runtime holds for the object.
class Object {
 public:
  explicit Object(Heap& heap);
  virtual ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  void retain() noexcept { ++references_; }
  void release() noexcept;
  [[nodiscard]] std::size_t references() const noexcept { return references_; }
  void add_field(Object& object);
  void clear_fields() noexcept;
  [[nodiscard]] Heap& heap() const noexcept { return heap_; }

 protected:
  /// Calls `seen` for every reference of the object, repeatedly for several to the same target.
  virtual void see(const std::function<void(Object&)>& seen) const {
    for (Object* field : fields_) seen(*field);
  }
  /// Drops the references of an object in a cycle that nothing refers to.
  virtual void clear_references() noexcept { clear_fields(); }
  /// The destructor of the language, called when the last reference was dropped; may take a new
  /// one.
  virtual void finalize() noexcept {}

 private:
  friend class Heap;
  Heap& heap_;
  std::size_t references_ = 0;
  std::size_t from_fields_ = 0;  // references from fields, counted by the collector
  bool reached_ = false;
  bool doomed_ = false;
  std::vector<Object*> fields_;
};

/// A counted reference from C++.
template <class T>
class Handle {
 public:
  Handle() noexcept = default;
  explicit Handle(T& object) noexcept : object_{&object} { object_->retain(); }
  Handle(const Handle& other) noexcept : object_{other.object_} {
    if (object_ != nullptr) object_->retain();
  }
  Handle(Handle&& other) noexcept : object_{std::exchange(other.object_, nullptr)} {}
  Handle& operator=(Handle other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ != nullptr) object_->release();
  }
  void reset() noexcept { *this = Handle{}; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* get() const noexcept { return object_; }

 private:
  T* object_ = nullptr;
};

/// All objects. If the last reference to an object is dropped where no code of the language may
/// run, the object is kept until the next sweep().
class Heap {
 public:
  Heap() = default;
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  template <class T, class... Args>
  Handle<T> make(Args&&... args) {
    return Handle<T>{*new T(*this, std::forward<Args>(args)...)};
  }
  /// Destroys the kept objects.
  void sweep() noexcept;
  /// Destroys cycles that nothing outside refers to; returns the number of their objects.
  std::size_t collect() noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return objects_.size(); }
  /// How many objects have lost their last reference in a scheduler phase.
  [[nodiscard]] std::size_t kept() const noexcept { return kept_; }

 private:
  friend class Object;
  void last_reference_went(Object& object) noexcept;
  void destroy(Object& object) noexcept;

  std::vector<Object*> objects_;
  std::vector<Object*> doomed_;
  std::size_t kept_ = 0;
};

}  // namespace toy
