# What a shared weft exports: what the public headers declare, and what weft::testing needs. Its files
# are compiled with hidden visibility, after a header that has seen all public ones as visible.

function(weft_export_public_headers target)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
       "${PROJECT_SOURCE_DIR}/include/weft/*.hpp" "${PROJECT_SOURCE_DIR}/include/weft/*.h")
  # The adapters are for what the library does not know: they have no part in it.
  list(FILTER headers EXCLUDE REGEX "weft/(asio|tls|tls_context|detail/tls_core).hpp$")
  list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"")
  list(JOIN headers "\n" includes)
  set(visible "${PROJECT_BINARY_DIR}/weft_visible.hpp")
  file(CONFIGURE OUTPUT "${visible}" @ONLY CONTENT [[
#pragma once
#define WEFT_NO_PLACES
#pragma GCC visibility push(default)
@includes@
#pragma GCC visibility pop
#undef WEFT_NO_PLACES
]])
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  target_precompile_headers(${target} PRIVATE "${visible}")

  set(WEFT_NODE "WEFT_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
  set(map "${PROJECT_BINARY_DIR}/weft.map")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/weft.map.in" "${map}" @ONLY)
  target_link_options(${target} PRIVATE "LINKER:--version-script=${map}" "LINKER:--no-undefined")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${map}")
endfunction()
