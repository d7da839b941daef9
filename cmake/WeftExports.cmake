# What a shared library of weft exports: what the public headers declare, and what its siblings need of
# its inside. Its files are compiled with hidden visibility, after a header that has seen all public
# headers as visible. Of what that leaves, cmake/weft_hidden.txt names what no program can refer to; tools/exports.py
# says what belongs there.

# Classes of the inside that public headers only name. A later declaration does not make them visible.
set(weft_hidden_classes
    BlockingPool ChainRun ChannelGuard Context CoroutineList Descriptor Ending ExecOutput Failures
    FileWatcherCore LimitedWarnings Mailbox Owner ProcessTable Reactor Scheduler ScopeCore SignalTable
    ThreadPoolCore TimerQueue TimerTable WatchTree)
set(weft_hidden_detail_classes TaskKeys)

# `map` is a version script in cmake/.
function(weft_export_public_headers target map)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
       "${PROJECT_SOURCE_DIR}/include/weft/*.hpp" "${PROJECT_SOURCE_DIR}/include/weft/*.h")
  # The adapters are for what the library does not know: they have no part in it.
  list(FILTER headers EXCLUDE REGEX "weft/(asio|tls|tls_context|detail/tls_core).hpp$")
  list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"")
  list(JOIN headers "\n" includes)
  list(JOIN weft_hidden_classes "; class " hidden)
  list(JOIN weft_hidden_detail_classes "; class " hidden_detail)
  set(visible "${PROJECT_BINARY_DIR}/weft_visible.hpp")
  file(CONFIGURE OUTPUT "${visible}" @ONLY CONTENT [[
#pragma once
#define WEFT_NO_PLACES
#pragma GCC visibility push(hidden)
namespace weft {
class @hidden@;
namespace detail {
class @hidden_detail@;
}
}
#pragma GCC visibility pop
#pragma GCC visibility push(default)
@includes@
#pragma GCC visibility pop
#undef WEFT_NO_PLACES
]])
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  target_precompile_headers(${target} PRIVATE "${visible}")

  set(WEFT_NODE "WEFT_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
  set(script "${PROJECT_BINARY_DIR}/${map}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${map}.in" "${script}.in" @ONLY)
  set(hide "${PROJECT_SOURCE_DIR}/cmake/WeftHide.cmake")
  set(hidden "${PROJECT_SOURCE_DIR}/cmake/weft_hidden.txt")
  file(GENERATE OUTPUT "${script}.objects" CONTENT "$<JOIN:$<TARGET_OBJECTS:${target}>,\n>\n")
  add_custom_command(
    TARGET ${target} PRE_LINK
    COMMAND ${CMAKE_COMMAND} "-DNM=${CMAKE_NM}" "-DLIST=${hidden}" "-DMAP=${script}.in"
            "-DOBJECTS=${script}.objects" "-DSCRIPT=${script}" -P "${hide}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    VERBATIM)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
  if(NOT WEFT_SANITIZE)  # clang leaves the runtime of a sanitizer to the program
    target_link_options(${target} PRIVATE "LINKER:--no-undefined")
  endif()
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${script}.in;${hide};${hidden}")
endfunction()
