// A page's clang and linker (the interface tools.run) by a server: `barrierscope serve` runs them
// (engine/cuda/toolchain/page_tools.hpp). For a worker, which may wait for an answer.

/// What the server has refused: `reason` is a message (engine/trace/message.hpp), in JSON.
export class ServerRefusal extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/// What the server is sent for a run of tools.run.
export function packetOf({ words, files }) {
  const head = new TextEncoder().encode(JSON.stringify({ words, files: [...files].map(([path, bytes]) => [path, bytes.length]) }) + '\n');
  return new Blob([head, ...files.values()]);
}
/// What tools.run returns, from the bytes of the server's answer.
export function answerOf(bytes) {
  const end = bytes.indexOf(10), answer = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))), written = new Map();
  let at = end + 1;
  for (const [path, size] of answer.files) written.set(path, bytes.subarray(at, at += size));
  return { exit: answer.exit, output: answer.output, files: written };
}

export class ServerTools {
  /// `address`: of the server's compiler. It serves browsers in turn, and tells them apart by a number of their own.
  constructor(address) {
    this.address = address;
    this.client = crypto.getRandomValues(new Uint32Array(2)).join('-');
  }

  /// As native_tools.js has it. Throws ServerRefusal, and a NetworkError where there is no server.
  run(command) {
    const request = new XMLHttpRequest();
    request.open('POST', this.address, false);
    request.responseType = 'arraybuffer';
    request.setRequestHeader('X-Client', this.client);
    request.send(packetOf(command));
    const bytes = new Uint8Array(request.response);
    if (request.status !== 200) throw new ServerRefusal(new TextDecoder().decode(bytes));
    return answerOf(bytes);
  }
}
