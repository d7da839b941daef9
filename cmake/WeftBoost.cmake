# Finds Boost.Context, the static one where there is a choice: the switch is then a direct call.

if(NOT DEFINED Boost_USE_STATIC_LIBS AND NOT BUILD_SHARED_LIBS)
  set(Boost_USE_STATIC_LIBS ON)
  find_package(Boost 1.81 QUIET CONFIG COMPONENTS context)
  if(NOT TARGET Boost::context)
    set(Boost_USE_STATIC_LIBS OFF)
  endif()
endif()
find_package(Boost 1.81 REQUIRED CONFIG COMPONENTS context)

# weftConfig.cmake repeats the choice.
if(Boost_USE_STATIC_LIBS)
  set(WEFT_BOOST_STATIC ON)
else()
  set(WEFT_BOOST_STATIC OFF)
endif()
