#pragma once

#include "weft/await.hpp"
#include "weft/coroutine.hpp"
#include "weft/delay.hpp"
#include "weft/error.hpp"
#include "weft/event.hpp"
#include "weft/microtask.hpp"
#include "weft/runtime.hpp"
#include "weft/suspend.hpp"
#include "weft/timer.hpp"
#include "weft/trigger.hpp"
