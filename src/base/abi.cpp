#include "weft/detail/abi.hpp"

const char WEFT_DETAIL_ABI = 0;
