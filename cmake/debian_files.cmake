# What Debian wants beside the program, put into the package's tree by CPack: licence, changes, manual page.
set(tree ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX})
set(doc ${tree}/share/doc/barrierscope)
file(RENAME ${doc}/LICENSE ${doc}/copyright)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog "barrierscope (${CPACK_PACKAGE_VERSION}) stable; urgency=medium

  * Built from its sources.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
execute_process(COMMAND gzip -9n ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
# of the program's own --help
set(man ${tree}/share/man/man1)
file(MAKE_DIRECTORY ${man})
execute_process(COMMAND help2man --no-info --name "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}" --output ${man}/barrierscope.1
  ${tree}/bin/barrierscope COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND gzip -9n ${man}/barrierscope.1 COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${tree}/share/lintian/overrides/barrierscope "# nobody's mailbox stands behind a package that everybody builds
barrierscope: bogus-mail-host
barrierscope: bogus-mail-host-in-debian-changelog
")
