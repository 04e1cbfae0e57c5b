# A Debian package of what `cmake --install` puts in place: tools/deb.sh, or `cpack -G DEB` in the build's folder.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME barrierscope)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Barrierscope authors <barrierscope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "watch GPU kernels barrier by barrier")
set(CPACK_PACKAGE_DESCRIPTION
"Shows every step of a GPU kernel between two barriers: which thread reads
which cell, where every value came from, what a barrier guards, which
accesses queue, and what goes wrong without it. For lectures, homework and
tuning.
.
33 kernels of textbooks come along, and people's own CUDA files are opened
unchanged. It needs neither a GPU nor a CUDA toolkit.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What is opened by name, and the fonts of the window.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, fonts-inter, fonts-jetbrains-mono")
# clang, and a C++ library, read users' own CUDA files.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19, libstdc++-12-dev, fonts-wqy-microhei")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# A build with tests packs without building them.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
include(CPack)
