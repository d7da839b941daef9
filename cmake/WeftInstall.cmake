# Installs the libraries, the headers, the CMake package `weft` and the pkg-config file `weft`.

include(CMakePackageConfigHelpers)

set(weft_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/weft")

install(TARGETS weft weft_testing EXPORT weftTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/weft" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION "${weft_package_dir}")

if(BUILD_SHARED_LIBS)
  set(WEFT_IS_STATIC OFF)
else()
  set(WEFT_IS_STATIC ON)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/weftConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/weftConfig.cmake"
                              INSTALL_DESTINATION "${weft_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weftConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weftConfig.cmake"
              "${PROJECT_BINARY_DIR}/weftConfigVersion.cmake"
        DESTINATION "${weft_package_dir}")

# A static library brings what it stands on along, so plain `pkg-config --libs weft` links.
if(WEFT_IS_STATIC)
  set(weft_boost_flags -lboost_context)
  foreach(dir IN LISTS Boost_LIBRARY_DIRS)
    cmake_path(NORMAL_PATH dir)
    if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(PREPEND weft_boost_flags "-L${dir}")
    endif()
  endforeach()
  string(JOIN " " WEFT_PC_LIBS ${weft_boost_flags} -pthread)
  set(WEFT_PC_REQUIRES "Requires: libuv >= 1.44")
else()
  set(WEFT_PC_LIBS "-pthread")
  set(WEFT_PC_REQUIRES "Requires.private: libuv >= 1.44")
endif()
# The file finds its prefix from its own place, so the installed tree may be moved.
file(RELATIVE_PATH WEFT_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" WEFT_PC_PREFIX "${WEFT_PC_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/weft.pc.in" "${PROJECT_BINARY_DIR}/weft.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/weft.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
