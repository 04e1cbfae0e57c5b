// What clang 19 takes for granted and emscripten 3.1.6 calls otherwise.
int __main_argc_argv(int, char**);
int begin(int count, char** words) __asm__("main");
int begin(int count, char** words) { return __main_argc_argv(count, words); }

// setjmp notes in which call of a function it stands, and where; longjmp's way back through JavaScript asks.
struct Mark {
  void* call;
  unsigned label;
};
void __wasm_setjmp(struct Mark* mark, unsigned label, void* call) {
  mark->call = call;
  mark->label = label;
}
unsigned __wasm_setjmp_test(struct Mark* mark, void* call) { return mark->call == call ? mark->label : 0; }
