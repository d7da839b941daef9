#pragma once

namespace weft_php {

/// Makes \Cancellation a root of its own, once all classes are registered.
void make_cancellation_a_root();

}  // namespace weft_php
