// Tests of ahead_tools.js: what was compiled ahead is found again by its words and files, whatever other files lie beside them, unless those could change it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AheadTools, NotCompiledAhead, RecordingTools } from '../../../engine/cuda/web/ahead_tools.js';

const bytes = text => new TextEncoder().encode(text), text = bytes => new TextDecoder().decode(bytes);
const source = '#include "sizes.cuh"\n#  include <cstdio>\nint main() {}\n';
const given = { '/files/a.cu': source, '/files/sizes.cuh': 'const int n = 1;\n' };
const mapOf = files => new Map(Object.entries(files).map(([path, content]) => [path, bytes(content)]));

const recording = new RecordingTools({
  run: ({ words, files }) => words[1] === 'bad' ? { exit: 1, output: 'no such file', files: new Map() }
    : { exit: 0, output: '', files: mapOf({ '/work/a.o': `${words[1]} of ${text(files.get('/files/a.cu')).length}` }) },
});
for (const word of ['good', 'bad']) recording.run({ words: ['clang', word], files: mapOf(given) });
const ahead = new AheadTools(recording.record());

const run = (word, files) => ahead.run({ words: ['clang', word], files: mapOf(files) });
const isRefused = (word, files) => assert.throws(() => run(word, files), NotCompiledAhead);

test('compiled ahead', () => {
  assert.equal(text(run('good', given).files.get('/work/a.o')), `good of ${source.length}`);
  assert.equal(run('bad', given).output, 'no such file');
  assert.equal(run('good', { ...given, '/files/other.cu': 'int x;\n', '/assets/b.cuh': '' }).exit, 0);
  isRefused('other', given);
  isRefused('good', { '/files/a.cu': source });
  isRefused('good', { ...given, '/files/sizes.cuh': 'const int n = 2;\n' });
  isRefused('good', { ...given, '/files/inc/sizes.cuh': '' });  // could be found in the other's place
  isRefused('good', { ...given, '/files/cstdio': '' });
  isRefused('bad', { ...given, '/files/missing.cuh': '' });  // could mend what was wrong
});
