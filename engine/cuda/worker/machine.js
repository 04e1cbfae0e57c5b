// The machine of own_code.wasm, for one program.

export class Machine {
  /// `ownCode`: what OwnCode() of own_code.js gave. It runs one program at a time.
  constructor(ownCode) {
    this.ownCode = ownCode;
    this.trace = undefined;  // the trace file, once the program has asked for it
    /// Takes a request to the program while that waits for an answer; returns the answer.
    this.askProgram = () => new Uint8Array();
    /// Whether a launch that runs must end.
    this.isTimeUp = () => false;
    ownCode.machine = this;
    ownCode._machine_begin();
  }

  /// Answers a request of the program's. The answer is empty where a launch was ended because time is up; undefined: there is
  /// no memory for the request.
  ask(request) {
    const { ownCode } = this;
    const at = ownCode._malloc(request.length);
    if (!at) return undefined;
    ownCode.HEAPU8.set(request, at);
    const size = ownCode._machine_answer(at, request.length);
    ownCode._free(at);
    const begin = ownCode._machine_answer_bytes();
    return ownCode.HEAPU8.slice(begin, begin + size);
  }

  /// Gives its memory back.
  end() {
    this.ownCode._machine_end();
    this.ownCode.machine = undefined;
  }
}
