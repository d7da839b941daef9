#pragma once

/// What of the library's inside weft::testing uses. It is a library of its own, and a shared weft
/// hides all that no public header declares; `cmake/weft.map.in` names the same symbols.
#define WEFT_FOR_TESTING [[gnu::visibility("default")]]
