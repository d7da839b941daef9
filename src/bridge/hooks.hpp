#pragma once

#include <vector>

#include "bridge/real.hpp"

namespace weft::bridge {

using Hooks = std::vector<Hook>;

// Each file of a family adds what it replaces.
//
// Rules for a hook: outside a coroutine it is the real call after one test. It tries without
// waiting first. A wake-up is a hint, so it tries again. It sets errno last. It never throws, and
// calls hooked functions only through `real`.
void add_waiting(Hooks& hooks);
void add_selecting(Hooks& hooks);
void add_connecting(Hooks& hooks);
void add_transfer(Hooks& hooks);
void add_receiving(Hooks& hooks);
void add_sending(Hooks& hooks);
void add_messages(Hooks& hooks);
void add_sleeping(Hooks& hooks);
void add_children(Hooks& hooks);
void add_commands(Hooks& hooks);
void add_names(Hooks& hooks);
void add_hosts(Hooks& hooks);
void add_resolver(Hooks& hooks);
void add_locks(Hooks& hooks);
void add_signals(Hooks& hooks);
void add_closing(Hooks& hooks);
void add_modes(Hooks& hooks);
void add_forking(Hooks& hooks);
void add_loading(Hooks& hooks);
void add_mutexes(Hooks& hooks);

/// Of hooks that Options::detect_locks asks for.
constexpr unsigned locks_family = 1U << 31U;

}  // namespace weft::bridge
