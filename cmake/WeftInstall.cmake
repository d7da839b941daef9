# Installs the libraries, the headers, the CMake package `weft`, and the pkg-config files `weft`,
# `weft-testing` and `weft-bridge`. A shared and a static build may be installed in one prefix: with CMake, programs
# then get the shared one, unless they ask for the component `static`. The pkg-config files are those of the build
# that was installed last, and the linker takes the shared library unless it is told `-static`.

include(CMakePackageConfigHelpers)

set(weft_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/weft")
if(BUILD_SHARED_LIBS)
  set(weft_kind shared)
else()
  set(weft_kind static)
endif()

set(weft_installed weft weft_testing)
set(weft_pc_files weft weft-testing)
if(TARGET weft_bridge)
  list(APPEND weft_installed weft_bridge)
  list(APPEND weft_pc_files weft-bridge)
endif()
install(TARGETS ${weft_installed} EXPORT weftTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/weft" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT weftTargets NAMESPACE weft:: FILE weft-${weft_kind}.cmake
        DESTINATION "${weft_package_dir}")

set(WEFT_ABI "weft_abi_${PROJECT_VERSION_MAJOR}_${PROJECT_VERSION_MINOR}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/weftConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/weftConfig.cmake"
                              INSTALL_DESTINATION "${weft_package_dir}"
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weftConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weftConfig.cmake"
              "${PROJECT_BINARY_DIR}/weftConfigVersion.cmake"
        DESTINATION "${weft_package_dir}")

# A static library brings what it stands on along, so plain `pkg-config --libs weft` links; for a shared one,
# only `--static` asks for it. A program in C finds the C++ library there, too.
set(weft_pc_libraries)
if(WEFT_NEEDS_FCONTEXT)
  foreach(dir IN LISTS Boost_LIBRARY_DIRS)
    cmake_path(NORMAL_PATH dir)
    if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND weft_pc_libraries "-L${dir}")
    endif()
  endforeach()
  list(APPEND weft_pc_libraries -lboost_context)
endif()
list(JOIN weft_sanitize " " WEFT_PC_SANITIZE)
if(BUILD_SHARED_LIBS)
  # Not `Requires.private`: pkg-config would ask for libuv's file even where it is not used.
  set(WEFT_PC_PRIVATE ".private")
  list(APPEND weft_pc_libraries -luv)
else()
  set(WEFT_PC_REQUIRES "Requires: libuv >= 1.44")
endif()
foreach(library IN ITEMS stdc++ c++ m)
  if(library IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    list(APPEND weft_pc_libraries "-l${library}")
  endif()
endforeach()
list(JOIN weft_pc_libraries " " WEFT_PC_DEPENDENCIES)
# The files find their prefix from their own place, so the installed tree may be moved.
file(RELATIVE_PATH WEFT_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" WEFT_PC_PREFIX "${WEFT_PC_PREFIX}")
foreach(name IN LISTS weft_pc_files)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  # `cpack` in the build directory makes an archive of all that is installed.
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGE_VENDOR "weft")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_PACKAGE_CHECKSUM SHA256)
  set(CPACK_STRIP_FILES ON)
  include(CPack)
endif()
