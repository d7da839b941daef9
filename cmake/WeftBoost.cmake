# Finds Boost.Context, the static one where there is a choice: the switch is then a direct call.

if(NOT DEFINED Boost_USE_STATIC_LIBS AND NOT BUILD_SHARED_LIBS)
  set(Boost_USE_STATIC_LIBS ON)
  find_package(Boost 1.81 QUIET CONFIG COMPONENTS context)
  if(NOT TARGET Boost::context)
    set(Boost_USE_STATIC_LIBS OFF)
  endif()
endif()
set(weft_boost_versions ${Boost_CONSIDERED_VERSIONS})  # what is there and too old
find_package(Boost 1.81 QUIET CONFIG COMPONENTS context)
if(NOT TARGET Boost::context)
  list(APPEND weft_boost_versions ${Boost_CONSIDERED_VERSIONS})
  list(REMOVE_DUPLICATES weft_boost_versions)
  list(JOIN weft_boost_versions " and " weft_boost_there)
  if(NOT weft_boost_there)
    set(weft_boost_there none)
  endif()
  message(FATAL_ERROR "weft needs Boost.Context 1.81 or newer, and there is ${weft_boost_there}: install it (Debian: "
                      "libboost-context1.81-dev), or name its directory in CMAKE_PREFIX_PATH")
endif()

# weftConfig.cmake repeats the choice.
if(Boost_USE_STATIC_LIBS)
  set(WEFT_BOOST_STATIC ON)
else()
  set(WEFT_BOOST_STATIC OFF)
endif()
