// What own_code.wasm asks of the JavaScript around it: the Machine (machine.js) that is being asked, and the OwnCode
// (own_code.js) that was made of the module.
mergeInto(LibraryManager.library, {
  worker_ask_program: function(request, size) { 
    Module['answerOfProgram'] = Module['machine'].askProgram(HEAPU8.slice(request, request + size));
    return Module['answerOfProgram'].length;
  },
  worker_take_answer: function(to) { HEAPU8.set(Module['answerOfProgram'], to); },
  worker_keep_trace: function(trace, size) { Module['machine'].trace = HEAPU8.slice(trace, trace + size); },
  worker_time_is_up: function() { return Module['machine'].isTimeUp() ? 1 : 0; },
  own_code_start: function(command) { return Module['ownCode'].newText(Module['ownCode'].start(UTF8ToString(command))); },
  own_code_keep_trace: function(trace, size) { Module['ownCode'].trace = HEAPU8.slice(trace, trace + size); },
  own_code_load_kernel: function(file) { return Module['ownCode'].nativeCode(wasmMemory, wasmTable).load(FS.readFile(UTF8ToString(file))); },
  own_code_unload_kernel: function(kernel) { Module['ownCode'].nativeCode(wasmMemory, wasmTable).unload(kernel); },
  own_code_clear_stack: function() { Module['ownCode'].nativeCode(wasmMemory, wasmTable).clearStack(); },
  own_code_tell: function(share) { Module['ownCode'].progress(share); },
});
