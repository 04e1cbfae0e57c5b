// What the sources ask for and emscripten 3.1.6 does not have.
mergeInto(LibraryManager.library, {
  // what wasm-opt --asyncify puts into the program takes the place of these (cmake/web.cmake)
  start_unwind: function() {},
  stop_unwind: function() {},
  start_rewind: function() {},
  stop_rewind: function() {},
  // of libc++abi 18: an exception that is made and not thrown
  __cxa_init_primary_exception__deps: ['$ExceptionInfo'],
  __cxa_init_primary_exception: function(object, type, destructor) {
    new ExceptionInfo(object).init(type, destructor);
    return object;
  },
  // there are no signals
  sigaltstack: function() { return -1; },
});
