# Requirements of the build. All missing ones are named at once, with the packages that have them; `script/setup`
# installs the same. Targets can use PkgConfig::HWLOC and PkgConfig::JANSSON.

find_package(PkgConfig)
if(NOT PKG_CONFIG_FOUND)
    message(FATAL_ERROR "pkg-config is missing. Install it (Debian, Ubuntu: apt-get install pkg-config), "
                        "or run script/setup, which installs everything.")
endif()

set(missing "")
foreach(dependency "HWLOC|hwloc>=2.0|libhwloc-dev|hwloc-devel"
                   "JANSSON|jansson>=2.10|libjansson-dev|jansson-devel")
    string(REPLACE "|" ";" dependency "${dependency}")
    list(GET dependency 0 name)
    list(GET dependency 1 module)
    list(GET dependency 2 debian)
    list(GET dependency 3 fedora)
    pkg_check_modules(${name} QUIET IMPORTED_TARGET GLOBAL ${module})
    if(NOT ${name}_FOUND)
        string(APPEND missing "\n  ${module}: ${debian} (Debian, Ubuntu), ${fedora} (Fedora)")
    endif()
endforeach()
if(missing)
    message(FATAL_ERROR "Missing libraries, and the packages that have them:${missing}\n"
                        "script/setup installs everything.")
endif()

# libdw finds the lines of programs for reports of deadlocks and mismatches, which name none without it.
pkg_check_modules(LIBDW QUIET libdw)
if(NOT LIBDW_FOUND)
    message(STATUS "No libdw (Debian, Ubuntu: libdw-dev; Fedora: elfutils-devel): reports name no lines of the program")
endif()

# libfabric carries jobs on several machines. Only its headers are taken: the library is loaded when it is needed.
pkg_check_modules(LIBFABRIC QUIET libfabric>=1.17)
if(NOT LIBFABRIC_FOUND)
    message(STATUS "No libfabric (Debian, Ubuntu: libfabric-dev; Fedora: libfabric-devel): jobs stay on one machine")
endif()

# libgpiod drives a board at lines of GPIO. Likewise its headers, of version 1, whose functions 2 does not have.
pkg_check_modules(GPIOD QUIET libgpiod>=1.5 libgpiod<2)
if(NOT GPIOD_FOUND)
    message(STATUS "No libgpiod 1.x (Debian: libgpiod-dev): --unit board has printer ports alone")
endif()

# Each of these is for one example only, which is left out without it.
pkg_check_modules(PNG QUIET IMPORTED_TARGET GLOBAL libpng>=1.6)
if(NOT PNG_FOUND)
    message(STATUS "No libpng (Debian, Ubuntu: libpng-dev): examples/sobel is not built")
endif()
pkg_check_modules(FFTW QUIET IMPORTED_TARGET GLOBAL fftw3)
if(NOT FFTW_FOUND)
    message(STATUS "No FFTW (Debian, Ubuntu: libfftw3-dev): examples/fft is not built")
endif()

# Tests, scripts and the Python package use Python. The system's own comes first: pytest is installed for it as a
# package.
find_program(UNISONO_PYTHON python3 HINTS /usr/bin)
