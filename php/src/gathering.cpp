#include "gathering.hpp"

#include "wait.hpp"

namespace weft_php {

Gathering::~Gathering() {
  for (Member& member : members_) member.end();
}

void Gathering::add(weft::Event& event, std::uint32_t position) {
  members_.emplace_back(*this, event, position);
}

void Gathering::wait(weft::Event* token, weft::Place place) {
  order_.reserve(members_.size());
  decided_.gathering = this;
  for (Member& member : members_) {
    if (decided_.is_closed()) break;
    member.begin();
  }
  if (decided_.is_closed()) return;
  throw_unless_ended(decided_, token, place);
}

void Gathering::settled(std::uint32_t position, bool failed) noexcept {
  if (decided_.is_closed()) return;
  order_.push_back(position);
  if (!failed) --missing_;
  const bool is_decided =
      missing_ == 0 || (failed && fails_fast_) || order_.size() == members_.size();
  if (is_decided) decided_.happen();
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
  gathering_.settled(position_, outcome.error() != nullptr);
}

}  // namespace weft_php
