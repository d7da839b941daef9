# Finds libuv.

find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
  message(FATAL_ERROR "weft finds libuv with pkg-config, which is missing: install it (Debian: pkg-config)")
endif()
pkg_check_modules(LIBUV QUIET IMPORTED_TARGET libuv)
if(NOT LIBUV_FOUND)
  message(FATAL_ERROR "weft needs libuv 1.44 or newer, and there is none: install it (Debian: libuv1-dev)")
elseif(LIBUV_VERSION VERSION_LESS 1.44)
  message(FATAL_ERROR "weft needs libuv 1.44 or newer, not ${LIBUV_VERSION}: install a newer one, or name "
                      "its directory in PKG_CONFIG_PATH")
endif()
