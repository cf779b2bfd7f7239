# What `make install` makes of the engine: a static library, its public headers under burin/, and a
# CMake package, so that find_package(burin) gives burin::burin.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

target_compile_features(burin PUBLIC cxx_std_20)
target_include_directories(burin INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# In the source the headers name each other from the project's root, installed from include/.
set(public_headers ${CMAKE_CURRENT_BINARY_DIR}/include/burin)
foreach(header engine.h status.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  string(REPLACE "#include \"engine/" "#include \"burin/" text "${text}")
  file(CONFIGURE OUTPUT ${public_headers}/${header} CONTENT "${text}" @ONLY)
endforeach()
install(DIRECTORY ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT burin)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/burin)
install(TARGETS burin EXPORT burin ARCHIVE COMPONENT burin)
install(EXPORT burin NAMESPACE burin:: FILE burin-targets.cmake DESTINATION ${package_folder}
        COMPONENT burin)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/burin-config.cmake @ONLY CONTENT
"include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(\${CMAKE_CURRENT_LIST_DIR}/burin-targets.cmake)
")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/burin-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/burin-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/burin-config-version.cmake
        DESTINATION ${package_folder} COMPONENT burin)
