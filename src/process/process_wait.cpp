#include "weft/await.hpp"
#include "weft/process.hpp"

namespace weft {

Ref<ProcessEvent> process(int pid) { return ProcessEvent::of(pid); }

int await(ProcessEvent& event, Token token, Place place) {
  const Ref<ProcessEvent> keep{&event};
  await(static_cast<Event&>(event), token, place);
  return *event.exit_code();
}

int await(const Ref<ProcessEvent>& event, Token token, Place place) {
  return await(*event, token, place);
}

}  // namespace weft
