# Rules for `cmake --install --prefix P`, except for the man pages (man/). No file records P, so that the tree may be
# moved.

# A wheel has no symbolic links, which would become copies of the library: in it, the name by which programs are linked
# is a file for the linker that names the library.
if(SKBUILD)
    set(without_link NAMELINK_SKIP)
    file(WRITE ${PROJECT_BINARY_DIR}/libunisono.so "INPUT(libunisono.so.0)\n")
    install(FILES ${PROJECT_BINARY_DIR}/libunisono.so DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/linker_names.cmake)
endif()
install(TARGETS unisono EXPORT unisono LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${without_link}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS unisono-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/papers.h ${PROJECT_SOURCE_DIR}/include/vertex.h
        ${PROJECT_SOURCE_DIR}/include/exchange.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/papers ${PROJECT_SOURCE_DIR}/include/vertex DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Where the shells look for completions: below share, and in a wheel below that of the environment.
set(share ${CMAKE_INSTALL_DATADIR})
if(SKBUILD)
    set(share ${SKBUILD_DATA_DIR}/share)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/src/cli/completion/unisono.bash DESTINATION ${share}/bash-completion/completions RENAME unisono)
install(FILES ${PROJECT_SOURCE_DIR}/src/cli/completion/_unisono DESTINATION ${share}/zsh/site-functions)
install(FILES ${PROJECT_SOURCE_DIR}/src/cli/completion/unisono.fish DESTINATION ${share}/fish/vendor_completions.d)

# find_package(unisono) gives the target unisono::unisono.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/unisono)
install(EXPORT unisono NAMESPACE unisono:: FILE unisono-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/unisono-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/unisono-config-version.cmake DESTINATION ${package_dir})

# pkg-config finds P from where the file itself is.
file(RELATIVE_PATH UNISONO_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" UNISONO_PREFIX_FROM_PC "${UNISONO_PREFIX_FROM_PC}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/unisono.pc.in ${PROJECT_BINARY_DIR}/unisono.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/unisono.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The pages, which messages and the manual name; in a wheel as the manual's (man/), without those for who changes the
# project, which has them in its source tree.
set(destination ${CMAKE_INSTALL_DOCDIR})
set(left PATTERN site EXCLUDE)
if(SKBUILD)
    set(destination ${SKBUILD_DATA_DIR}/share/doc/unisono)
    foreach(page design proof release scripts)
        list(APPEND left PATTERN ${page}.md EXCLUDE)
    endforeach()
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${destination} FILES_MATCHING PATTERN "*.md" ${left})
