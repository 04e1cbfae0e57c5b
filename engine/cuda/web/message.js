// Sentences for users (engine/trace/message.hpp).

/// The English pattern, which identifies the sentence, and its arguments.
export function message(pattern, ...parameters) { return { pattern, arguments: parameters }; }
export function english({ pattern, arguments: parameters }) {
  let next = 0;
  return pattern.replace(/\{\}/g, () => parameters[next++]);
}
/// As JSON has it in files.
export function inFiles({ pattern, arguments: parameters }) { return [pattern, ...parameters.map(String)]; }
