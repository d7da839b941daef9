# Finds Boost. The library needs it only where its own switch of stacks is not taken: then Boost.Context
# switches, the static one where there is a choice, which makes the switch a direct call. Tests, examples and
# benchmarks also use its headers.

include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#ifndef __x86_64__\n#error\n#endif\nint main() {}" WEFT_CPU_IS_X86_64)
set(WEFT_NEEDS_FCONTEXT OFF)
set(WEFT_BOOST_STATIC OFF)  # weftConfig.cmake repeats the choice
if(WEFT_USE_FCONTEXT OR NOT WEFT_CPU_IS_X86_64)
  set(WEFT_NEEDS_FCONTEXT ON)
endif()

set(weft_boost_name Boost)
set(weft_boost_components)
set(weft_boost_package libboost1.81-dev)
if(WEFT_NEEDS_FCONTEXT OR WEFT_PLANTED)
  set(weft_boost_name Boost.Context)
  set(weft_boost_components COMPONENTS context)
  set(weft_boost_package libboost-context1.81-dev)
elseif(NOT WEFT_BUILD_TESTS AND NOT WEFT_BUILD_EXAMPLES AND NOT WEFT_BUILD_BENCH)
  return()
endif()

set(weft_boost_versions)
if(weft_boost_components AND NOT DEFINED Boost_USE_STATIC_LIBS AND NOT BUILD_SHARED_LIBS)
  set(Boost_USE_STATIC_LIBS ON)
  find_package(Boost 1.81 QUIET CONFIG COMPONENTS context)
  set(weft_boost_versions ${Boost_CONSIDERED_VERSIONS})  # what is there and too old
  if(NOT TARGET Boost::context)
    set(Boost_USE_STATIC_LIBS OFF)
  endif()
endif()
find_package(Boost 1.81 QUIET CONFIG ${weft_boost_components})
if(NOT Boost_FOUND)
  list(APPEND weft_boost_versions ${Boost_CONSIDERED_VERSIONS})
  list(REMOVE_DUPLICATES weft_boost_versions)
  list(JOIN weft_boost_versions " and " weft_boost_there)
  if(NOT weft_boost_there)
    set(weft_boost_there none)
  endif()
  set(weft_boost_user "weft needs")
  set(weft_boost_way_out)
  if(NOT WEFT_NEEDS_FCONTEXT)
    set(weft_boost_user "the tests and examples of weft need")
    set(weft_boost_way_out ", or build the library alone: -DWEFT_BUILD_TESTS=OFF -DWEFT_BUILD_EXAMPLES=OFF")
  endif()
  message(FATAL_ERROR "${weft_boost_user} ${weft_boost_name} 1.81 or newer, and there is ${weft_boost_there}: "
                      "install it (Debian: ${weft_boost_package}), or name its directory in "
                      "CMAKE_PREFIX_PATH${weft_boost_way_out}")
endif()

if(Boost_USE_STATIC_LIBS)
  set(WEFT_BOOST_STATIC ON)
endif()
