// Which packs of headers (tools/header_packs.py) a program needs, by what its files include.

/// The files of a pack, bytes by path: its first line is JSON, [[path, bytes], ...], and their bytes follow.
export function filesOfPack(bytes) {
  const end = bytes.indexOf(10), files = new Map();
  let at = end + 1;
  for (const [path, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)))) files.set(path, bytes.subarray(at, at += size));
  return files;
}

const include = /^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]/gm;

/// The names of the packs for a program, 'plain' first. `index`: headers.json. `texts`: those of its files, headers as well.
export function packsFor(index, texts) {
  const needed = new Set(['plain', 'libraries']);
  const holds = Object.entries(index).map(([pack, { headers }]) => [pack, new Set(headers)]);
  for (const text of texts) {
    if (/\bstd\s*::|\bnamespace\s+std\b/.test(text)) needed.add('cxx');  // engine/cuda/toolchain then includes <functional>
    for (const [, name] of text.matchAll(include))
      for (const [pack, headers] of holds) if (headers.has(name)) needed.add(pack);
  }
  if (needed.has('cccl')) needed.add('cxx');
  return [...needed];
}
