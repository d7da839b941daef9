#pragma once

/// Marks internal symbols of weft that the libraries weft::testing and weft::bridge call. They are
/// libraries of their own, and a shared weft hides all that no public header declares;
/// `cmake/weft.map.in` gives these symbols a version of their own.
#define WEFT_FOR_SIBLINGS [[gnu::visibility("default")]]
