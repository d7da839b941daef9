#include "gathering.hpp"

#include "wait.hpp"

namespace weft_php {

Gathering::~Gathering() {
  for (Member& member : members_) member.end();
}

void Gathering::add(weft::Event& event, std::uint32_t position) {
  members_.emplace_back(*this, event, position);
  if (order_.capacity() < members_.size()) order_.reserve(2 * members_.size());
  if (has_begun_ && !is_decided()) members_.back().begin();
}

void Gathering::no_more(std::exception_ptr error) noexcept {
  if (is_decided()) return;
  expects_more_ = false;
  error_ = std::move(error);
  if (error_ != nullptr || has_all()) decided_.complete();
}

void Gathering::wait(weft::Event* token, weft::Place place) {
  decided_.gathering = this;
  has_begun_ = true;
  for (Member& member : members_) {
    if (is_decided()) break;
    member.begin();
  }
  if (!is_decided()) throw_unless_ended(decided_, token, place);
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void Gathering::count_settled(std::uint32_t position, bool failed) noexcept {
  if (is_decided()) return;
  order_.push_back(position);
  if (!failed) --missing_;
  if (missing_ == 0 || (failed && fails_fast_) || has_all()) decided_.complete();
}

std::string Gathering::Decided::info() const {
  std::string text;
  for (const Member& member : gathering->members_) {
    if (!text.empty()) text += ", ";
    text += member.info();
  }
  return text;
}

void Gathering::Member::begin() {
  weft::Outcome outcome;
  event_->set(weft::Event::result_used_flag);
  if (event_->replay(outcome)) return on_notify(*event_, outcome);
  if (!event_->add_callback(*this) || event_->is_ready()) return on_notify(*event_, {});
  started_ = true;
  event_->start();
}

void Gathering::Member::end() noexcept {
  if (is_subscribed()) event_->remove_callback(*this);
  if (started_) event_->stop();
}

void Gathering::Member::on_notify(weft::Event& event, const weft::Outcome& outcome) noexcept {
  if (outcome.error() != nullptr) event.claim_error();
  gathering_.count_settled(position_, outcome.error() != nullptr);
}

}  // namespace weft_php
