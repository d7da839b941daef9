# Stops where weft cannot be compiled, with one line that says what to do.

if(NOT UNIX OR APPLE)
  message(FATAL_ERROR "weft does not support ${CMAKE_SYSTEM_NAME}: build it on Linux, or on another "
                      "POSIX system with -DWEFT_PORTABLE=ON")
endif()
if(NOT WEFT_PORTABLE AND NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR "WEFT_PORTABLE=OFF is for Linux, and this is ${CMAKE_SYSTEM_NAME}: build weft with "
                      "-DWEFT_PORTABLE=ON")
endif()

set(weft_oldest_GNU 12)
set(weft_oldest_Clang 14)
set(weft_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
if(NOT DEFINED weft_oldest_${CMAKE_CXX_COMPILER_ID}
   OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS weft_oldest_${CMAKE_CXX_COMPILER_ID})
  message(FATAL_ERROR "weft does not support the compiler ${weft_compiler}: set CMAKE_CXX_COMPILER to "
                      "g++ 12 or clang++ 14, or newer ones")
endif()

if(BUILD_SHARED_LIBS AND WEFT_BUILD_TESTS)
  message(FATAL_ERROR "The tests look inside weft, which a shared library hides: set one of "
                      "BUILD_SHARED_LIBS and WEFT_BUILD_TESTS to OFF")
endif()

# The header has the version, too: in the name of a symbol.
file(STRINGS "${PROJECT_SOURCE_DIR}/include/weft/detail/abi.hpp" weft_abi LIMIT_COUNT 1
     REGEX "weft_abi_${PROJECT_VERSION_MAJOR}_${PROJECT_VERSION_MINOR}$")
if(NOT weft_abi)
  message(FATAL_ERROR "include/weft/detail/abi.hpp is not of version ${PROJECT_VERSION}: change its "
                      "weft_abi_... as well")
endif()
