// The module "machine" that a user's program imports (engine/cuda/runtime/web): its way to the machine of another module.

/// For Program's option `imports`. `machine` is a Machine (engine/cuda/worker/machine.js).
export function machineImports(program, machine) {
  let answer;
  let answerBack;
  machine.askProgram = request => {
    answerBack = new Uint8Array();  // no valid answer
    try {
      const at = program.exports.allocate(BigInt(request.length));
      program.view(at, request.length).set(request);
      program.exports.answer_machine(at, BigInt(request.length));
      program.exports.release(at);
    } catch (error) { program.noteEnd(error); }
    return answerBack;
  };
  machine.isTimeUp = () => program.isTimeUp(graceOfLaunches);
  return {
    ask: (request, size) => {
      answer = machine.ask(program.view(request, size));
      if (!answer) program.endByMemory();
      return BigInt(program.isOver ? 0 : answer.length);
    },
    take: to => program.view(to, answer.length).set(answer),
    answered: (bytes, size) => { answerBack = program.view(bytes, size).slice(); },
    register_early: () => program.registerEarly(),
  };
}

const graceOfLaunches = 2;  // seconds for a launch to come to its end
