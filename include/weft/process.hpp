#pragma once

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/place.hpp"
#include "weft/process_event.hpp"
#include "weft/token.hpp"

namespace weft {

/// The end of the child `pid`, whoever started it; await() gives its exit code. All who wait for
/// the same child share one event. Only a wait collects the exit status.
[[nodiscard]] Ref<ProcessEvent> process(int pid);

/// Suspends until the child has ended; returns its exit status, minus the signal that killed it, or
/// -1 if somebody else has collected it. `token` ends the wait with OperationCancelled.
int await(ProcessEvent& event, Token token = {}, Place place = Place::here());
int await(const Ref<ProcessEvent>& event, Token token = {}, Place place = Place::here());

}  // namespace weft
