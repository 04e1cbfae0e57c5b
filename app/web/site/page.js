// The page around the app: fetches it, hands it what people do, keeps its files, says what went wrong.
'use strict';
(() => {
const version = '@version@', sizes = @sizes@, recorded = @recorded@;
const byId = id => document.getElementById(id);
const canvas = byId('canvas'), typed = byId('typed'), whole = byId('whole');
const home = '/home/web_user', unseen = '\u200b';
const frame = window.barrierscopeFrame;  // null: not in somebody's page
const prefersLight = !frame && matchMedia('(prefers-color-scheme: light)').matches;
if (prefersLight) document.documentElement.classList.add('light');

// ---- what is said in the place of the app
let failed = false;
function fails(sentence) {
  failed = true;
  byId('said').textContent = sentence;
  byId('bar').hidden = true;
  byId('wait').hidden = false;
  byId('again').hidden = false;
  if (frame) frame.fails(sentence);
}
/// In the language that the page speaks; before it has begun, in the browser's.
function either(english, chinese) {
  const begun = typeof FS === 'object' || new URLSearchParams(location.search).has('language');
  return (begun ? speaksChinese() : /^zh/i.test(navigator.language)) ? chinese : english;
}
function lacks() {
  if (typeof WebAssembly !== 'object')
    return either('Barrierscope is a program of WebAssembly, which this browser does not have.',
      'Barrierscope 是 WebAssembly 程序，而此浏览器没有 WebAssembly。');
  if (!document.createElement('canvas').getContext('webgl2'))
    return either('Barrierscope draws with WebGL 2, which this browser does not have or has switched off.',
      'Barrierscope 用 WebGL 2 绘图，而此浏览器没有 WebGL 2，或已将其关闭。');
  return '';
}
/// A file that did not come. `status`: what the server answered; 0: the connection ended.
class NotFetched extends Error {
  constructor(name, status) {
    super(status === 410 ? either('A newer version of this page is on its server. Load the page again.', '服务器上有此页面的新版本。请重新载入页面。')
      : location.protocol === 'file:' ? either(
        'This page cannot fetch its files, because it was opened as a file. Run `python3 -m http.server` in its folder, and open http://localhost:8000/app.html.',
        '此页面是作为文件打开的，因此无法获取它的文件。请在其文件夹中运行 `python3 -m http.server`，然后打开 http://localhost:8000/app.html。')
      : status ? either(`${name} could not be fetched (the server answered ${status}). Try again later.`, `未能获取 ${name}（服务器回答 ${status}）。请稍后重试。`)
      : either(`${name} could not be fetched (the connection ended). Try again when there is a connection.`, `未能获取 ${name}（连接中断）。请在有连接时重试。`));
  }
}
function ofError(e) {
  if (e instanceof NotFetched) return e.message;
  const text = String(e && e.message || e);
  if (/out of memory|memory access|Cannot enlarge memory|allocation failed|bad_alloc/i.test(text))
    return either('There is not enough memory for this in this page. Load it again for a smaller run.', '此页面的内存不足。请重新载入，并选择较小的运行。');
  return either(`Barrierscope has ended by a mistake of its own (${text}). Load the page again to go on.`,
    `Barrierscope 因自身的错误而结束（${text}）。请重新载入页面以继续。`);
}

// ---- the link is the command line: its one word
function words() { return frame ? [frame.words] : location.search.length > 1 ? [location.search] : []; }

// ---- files
let got = 0;
const all = sizes.wasm + sizes.base;
function counted(response, size) {
  if (!response.body || typeof TransformStream !== 'function') return response;
  const counts = new TransformStream({ transform(piece, to) {
    got += piece.byteLength;
    byId('share').style.width = Math.min(100, 100 * got / all) + '%';
    to.enqueue(piece);
  } });
  return new Response(response.body.pipeThrough(counts), { headers: { 'Content-Type': response.headers.get('Content-Type') || '' } });
}
async function fetched(name) {
  let response;
  try { response = await fetch(name + '?' + version); } catch (e) { throw new NotFetched(name, 0); }
  if (!response.ok) throw new NotFetched(name, response.status);
  return response;
}
/// Its bytes; a connection may end amid them, too.
async function bytesOf(name, size) {
  const response = await fetched(name);
  try { return await (size ? counted(response, size) : response).arrayBuffer(); }
  catch (e) { throw new NotFetched(name, 0); }
}
function write(path, bytes) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
  FS.writeFile(path, bytes);
}
/// The files of a pack, [path, bytes] each: its first line is JSON, [[path, bytes], ...], and their bytes follow.
function filesIn(buffer) {
  const bytes = new Uint8Array(buffer), end = bytes.indexOf(10);
  let at = end + 1;
  return JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))).map(([path, size]) => [path, bytes.subarray(at, at += size)]);
}
function packOf(files) {
  return new Blob([JSON.stringify(files.map(([path, bytes]) => [path, bytes.length])) + '\n', ...files.map(([, bytes]) => bytes)]);
}
async function filesOfPack(name, size) { return filesIn(await bytesOf(name, size)); }
async function pack(name, size) { for (const [path, bytes] of await filesOfPack(name, size)) write(path, bytes); }
/// A file of the site that is fetched when it is first asked for. `state()` asks for it in the background and says how far
/// that is, as AssetState does; `now()`: its bytes, for which the app waits; empty: they could not be fetched.
function later(name) {
  let bytes = null, coming = false, lost = false;
  const ask = async () => {
    coming = true;
    try {
      bytes = new Uint8Array(await bytesOf(name));
      lost = false;
    } catch (e) {
      console.warn(String(e.message));
      lost = true;
      setTimeout(ask, 5000);
    }
    coming = lost;
    tell(() => {});
  };
  return {
    state() {
      if (bytes) return 0;
      if (!coming) ask();
      return lost ? 2 : 1;
    },
    now() {
      if (bytes) return bytes;
      const request = new XMLHttpRequest();
      request.open('GET', name + '?' + version, false);
      request.overrideMimeType('text/plain; charset=x-user-defined');
      try { request.send(); }
      catch (e) {  // the connection ended: it is asked for again when it is read again
        console.warn(name + ' could not be fetched: ' + e);
        return new Uint8Array();
      }
      if (request.status !== 200) return new Uint8Array();
      const text = request.responseText;
      bytes = new Uint8Array(text.length);
      for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
      return bytes;
    },
  };
}
/// What the app asks for in frames, by path: whether it is here, which fetches it. What is read before that is fetched while
/// the app waits for it.
const lazies = new Map();
/// `take`: what of the fetched bytes is the file's.
function lazy(path, name, take = bytes => bytes) {
  write(path, new Uint8Array());
  const node = FS.lookupPath(path).node, file = later(name);
  let taken = null;
  const read = () => {
    if (taken) return taken;
    const bytes = file.now();
    return bytes.length ? taken = take(bytes) : bytes;
  };
  lazies.set(path, file.state);
  Object.defineProperty(node, 'contents', { get: read });
  Object.defineProperty(node, 'usedBytes', { get: () => read().length });
}
/// Folders whose files are a pack.
function lazyFolders(paths, name) {
  const file = later(name), nodes = paths.map(path => { FS.mkdirTree(path); return FS.lookupPath(path).node; });
  const ops = nodes[0].node_ops;
  let here = false;
  const open = () => {
    const bytes = here ? [] : file.now();
    if (!bytes.length) return;
    here = true;
    for (const node of nodes) node.node_ops = ops;
    for (const [path, content] of filesIn(bytes)) write(path, content);
  };
  for (const node of nodes) node.node_ops = { ...ops,
    lookup(parent, name) { open(); return here ? FS.lookupNode(parent, name) : ops.lookup(parent, name); },
    readdir(folder) { open(); return ops.readdir(folder); },
  };
  for (const path of paths) lazies.set(path, () => {
    const state = file.state();
    if (!state) open();
    return state;
  });
}
// What Chinese needs: where the program looks for it, what is fetched for that, and which of it that file is: lessons come with
// the words.
const chineseWords = '/assets/words/zh.json';
const chinese = [['/usr/share/fonts/truetype/wqy/wqy-microhei.ttc', 'chinese.ttf'], [chineseWords, 'chinese.pack', bytes => {
  const files = filesIn(bytes);
  for (const [path, content] of files) if (path !== chineseWords) write(path, content);
  return files.find(([path]) => path === chineseWords)[1];
}]];
function speaksChinese() {
  const asked = new URLSearchParams(location.search).get('language');
  if (asked) return asked === 'zh';
  try { return JSON.parse(FS.readFile(home + '/.config/barrierscope/settings.json', { encoding: 'utf8' })).language === 'zh'; }
  catch (e) { return false; }
}
/// What users keep (settings, drafts) lies in the browser's database. It is written only after a change, because
/// another tab may have written something newer meanwhile.
let keeping = false, again = false, kept = '';
function files(folder) {
  return FS.readdir(folder).filter(name => name !== '.' && name !== '..').sort().map(name => {
    const path = folder + '/' + name, about = FS.stat(path);
    return FS.isDir(about.mode) ? files(path) : [path, about.size, about.mtime.getTime()].join();
  }).join(';');
}
function keep() {
  if (frame) return;  // views in other people's pages leave nothing behind
  if (keeping) { again = true; return; }
  const now = files(home);
  if (now === kept) return;
  kept = now;
  keeping = true;
  FS.syncfs(false, () => { keeping = false; if (again) { again = false; keep(); } });
}
// ---- users' programs as files (program_files.js), which lie in the app's folder
const programMark = '#program=', filesMark = '#files=';
let programHash = '';  // what a link to the open program ends with; empty: none is open, or it is too long for a link
let isTooLong = false;  // a program is open that no link can hold
const tooLong = {
  message: 'The link does not hold this program: a link holds 128 KB of sources, 64 KB of them compressed. Save the program\'s files, and send those.',
  chinese: '此链接不包含该程序：一个链接最多容纳 128 KB 源代码，压缩后 64 KB。请保存程序的文件并发送这些文件。',
};
let hashed = { files: '', hash: '' };  // the last one, and what it was made of
let links = 0;  // that were asked for
/// Whether a file is none of the app's folder: a lesson's program, which links name by the lesson.
const isOutside = path => path.startsWith('/') && !path.startsWith(FS.cwd() + '/');
const programFiles = () => import('./program_files.js?' + version);
/// Of the app's folder, as far as a program can read them.
function filesBelow(folder, name = '') {
  return FS.readdir(folder).filter(n => n !== '.' && n !== '..').flatMap(n => {
    const path = folder + '/' + n;
    return FS.isDir(FS.stat(path).mode) ? filesBelow(path, name + n + '/') : [[name + n, FS.readFile(path)]];
  });
}
/// Made anew where a file has changed.
async function hashOfProgram() {
  const now = files(FS.cwd());
  if (hashed.files !== now) hashed = { files: now, hash: await (await programFiles()).linkOf(filesBelow(FS.cwd())) };
  return hashed.hash;
}
function putAll(files) { for (const [path, bytes] of files) write(FS.cwd() + '/' + path, bytes); }
/// Puts files of the page's own folder where the app is: a pack that a course's page names. Returns those to open, beside
/// what the address asks for.
async function openFilesOf(address) {
  if (!/^course\/[0-9a-f]+\.pack$/.test(address)) throw new NotFetched(address, 404);
  const { isRecording } = await programFiles(), files = await filesOfPack(address);
  putAll(files);
  return files.map(([path]) => path).filter(isRecording);
}
/// What is wrong with files, as a notice.
function refuse(e) {
  const sentence = e.chinese ? either(e.message, e.chinese) : ofError(e);
  if (running) tell(() => withText(sentence, Module._page_say)); else page.notice = sentence;
}
addEventListener('hashchange', () => { if (location.hash.startsWith(programMark)) location.reload(); });

/// What a tab shows and no address can hold lies in the browser's cache, a recording or all files of a program, so that the
/// tab shows it again when it is loaded again. Of all tabs together the last few are there.
const opened = 'opened in barrierscope', mostOpened = 8;
let stashed = { of: '', id: '' };  // the last one, and what it was made of
/// `query`: the link's words, where the file is not all of them.
async function stash(path, query) {
  const name = path.slice(path.lastIndexOf('/') + 1), of = path + '\n' + files(FS.cwd()), isNew = stashed.of !== of;
  if (isNew) stashed = { of, id: 'opened/' + Date.now() + Math.random() };
  const { id } = stashed;
  history.replaceState({ name, id, query }, '', location.href);
  if (!isNew) return;
  try {
    const { isRecording } = await programFiles(), all = await caches.open(opened);
    const kept = isRecording(path) ? [[name, FS.readFile(path)]] : filesBelow(FS.cwd()).filter(([name]) => !isRecording(name));
    await all.put(id, new Response(packOf(kept)));
    for (const old of (await all.keys()).slice(0, -mostOpened)) await all.delete(old);
  } catch (e) { console.warn(e); }  // no room, or no caches (http)
}
/// The same back, as the word that the app opens. Where it is gone, a sentence says so.
async function unstash() {
  const last = !frame && !location.search && history.state && history.state.id ? history.state : null;
  if (!last) return;
  try {
    const there = await (await caches.open(opened)).match(last.id);
    putAll(filesIn(await there.arrayBuffer()));
    Module.arguments.push(last.query ? '?' + last.query : last.name);
  } catch (e) { page.forgot = last.name; }
}
function download(folder) {
  for (const name of FS.readdir(folder)) {
    const path = folder + '/' + name;
    if (name.startsWith('.') || !FS.isFile(FS.stat(path).mode)) continue;
    const bytes = FS.readFile(path);
    FS.unlink(path);
    const whole = new Blob([bytes]);
    if (name.endsWith('.pdf')) print(new TextDecoder().decode(bytes), name.slice(0, -4));  // the app draws SVG alone
    else if (name.endsWith('.png'))
      drawn(new TextDecoder().decode(bytes)).then(png => hand(name, png), () => hand(name.slice(0, -3) + 'svg', whole));
    else hand(name, whole);
  }
}
function hand(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
/// An SVG of the app's with its fonts: what is shown outside of the app sees none of them.
async function withFonts(svg) {
  const faces = [['Inter', 500, 'opentype/inter/Inter-Regular.otf'], ['Inter', 700, 'opentype/inter/Inter-SemiBold.otf'],
    ['JetBrains Mono', 500, 'truetype/jetbrains-mono/JetBrainsMono-Regular.ttf'],
    ['JetBrains Mono', 700, 'truetype/jetbrains-mono/JetBrainsMono-Bold.ttf']];
  if (/[\u2e80-\uffef]/.test(svg)) faces.push(['WenQuanYi Micro Hei', 500, 'truetype/wqy/wqy-microhei.ttc']);
  let style = '';
  for (const [family, weight, file] of faces)
    style += `@font-face{font-family:'${family}';font-weight:${weight};src:url(${await address(new Blob([FS.readFile('/usr/share/fonts/' + file)]))})}`;
  return svg.replace('<style>', '<style>' + style);
}
/// As the browser prints it: to paper, or to a PDF of just its size.
async function print(svg, name) {
  const sheet = document.createElement('iframe'), [, width, height] = svg.match(/<svg[^>]* width="([\d.]+)[^>]* height="([\d.]+)/);
  sheet.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden';
  sheet.srcdoc = `<!doctype html><title>${name}</title><style>@page{size:${width}px ${height}px;margin:0}body{margin:0}svg{display:block}</style>` +
    await withFonts(svg);
  sheet.onload = async () => {
    const inside = sheet.contentWindow, title = document.title;
    await inside.document.fonts.ready;
    inside.onafterprint = () => setTimeout(() => sheet.remove());
    document.title = name;  // is what some browsers propose as the file's name
    inside.print();
    document.title = title;
  };
  document.body.append(sheet);
}
/// An SVG of the app's as a PNG.
async function drawn(svg) {
  const image = new Image();
  image.src = await address(new Blob([await withFonts(svg)], { type: 'image/svg+xml' }));
  await image.decode();
  const sheet = document.createElement('canvas');
  sheet.width = image.naturalWidth;
  sheet.height = image.naturalHeight;
  sheet.getContext('2d').drawImage(image, 0, 0);
  return new Promise((done, fail) => sheet.toBlob(png => png ? done(png) : fail(new Error('no PNG of this size')), 'image/png'));
}
/// The bytes as an address: data:...
function address(blob) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
  });
}
/// Puts files where the app is at home, so that it says their names alone. Returns those to open: of several sources the
/// program, and whatever else it is.
async function put(filesOf) {
  const of = await programFiles(), files = await filesOf(of), main = of.mainFile(files);
  putAll(files);
  return main ? [main, ...files.map(([path]) => path).filter(of.isRecording)] : files.map(([path]) => path);
}
async function openAll(filesOf) {
  try {
    for (const path of await put(filesOf)) tell(() => withText(path, Module._page_open_file));
  } catch (e) { refuse(e); }
}
function withText(text, f) {
  const at = stackSave();
  try { f(allocateUTF8OnStack(text)); } finally { stackRestore(at); }
}

// ---- runs that take long: another process of the program makes them, in a worker
let worker = null, compiled = null, made = [], taking = false;
function dismiss() {
  if (worker) worker.terminate();
  worker = null;
  if (runs) runner.terminate(), runner = runs = null;
}
/// `program`: what became of a user's program, which says more than the sentence. `refused`: because of the program itself.
function notMade(sentence, program = '', refused = false) {
  tell(() => withText(sentence, said => {
    const text = allocateUTF8(program);
    try { Module._page_not_made(said, text, refused); } finally { _free(text); }
  }));
}
function make(what, files) {
  if (!worker) hire();
  worker.postMessage({ what, files });
}
/// In a frame that is walled off (sandbox) nothing has the page's origin but what it makes itself.
function begun(address) {
  if (self.origin !== 'null') return new Worker(address);
  return new Worker(URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(address)})`])));
}
/// In pieces, with frames between them.
function takeOver() {
  if (failed || !taking) return;
  const began = performance.now();
  let more = false;
  tell(() => { more = Module._page_takes_over(); });
  page.tookOver.push(performance.now() - began);
  if (more) setTimeout(takeOver);
}
function hire() {
  const whole = name => new URL(name + '?' + version, location.href).href;
  worker = begun(whole('worker.js'));
  worker.onmessage = message => {
    const m = message.data;
    if (m.memory > 1 << 28) dismiss();  // it would keep what a large run took
    if (m.made) {
      made = m.made;
      page.tookOver = [];
      taking = true;
      tell(Module._page_made);
      takeOver();
    } else if ('failed' in m) { notMade(m.failed, m.program); }
    else { tell(() => Module._page_told(m.events, m.expected, m.lookedAt)); }
  };
  worker.onerror = e => {  // an event without a message: the worker's files did not come
    e.preventDefault();
    dismiss();
    notMade(ofError(e.message ? e : new NotFetched('worker.js', 0)));
  };
  worker.postMessage({ module: compiled, program: whole('barrierscope.js') });
}

// ---- users' programs: another worker compiles and runs them. It stays, because it has a compiler.
/// The site's settings (site.json). compiler: where it is, 'page', 'server' or 'none'. ahead: what was compiled with the page,
/// by the program's file, '' for any other; packs: files that it brings along, as base.pack does.
const site = { compiler: 'none', ahead: {}, packs: [] };
let runner = null, runs = null;  // what it is asked for now
const ownCode = new URL(`own_code/${version}/`, location.href).href;
function hireRunner() {
  runner = begun(ownCode + 'worker.js');
  tell(() => Module._page_fetched(1));  // of the last one a part may have come
  runner.onmessage = message => {
    const m = message.data, what = runs;
    if ('fetched' in m) { tell(() => Module._page_fetched(m.fetched)); return; }
    if ('part' in m) { tell(() => Module._page_told(m.part, m.of, 0)); return; }
    runs = null;
    if (m.memory > 1 << 29) runner.terminate(), runner = null;  // it would keep what large arrays took
    if ('failed' in m) notMade(m.failed, '', m.refused);
    else make(what, [['/own/run.json', new TextEncoder().encode(m.run)], ['/own/trace.bscope', m.trace]]);
  };
  runner.onerror = e => {
    e.preventDefault();
    runner.terminate();
    runner = runs = null;
    notMade(/not fetched/.test(e.message ?? 'not fetched') ? new NotFetched('own_code', 0).message : ofError(e));
  };
}
function runProgram(what, file) {
  if (!runner) hireRunner();
  runs = what;
  const folder = FS.cwd();
  // a lesson's program, an assignment's own files: with what lies beside them
  const more = new Set([file, ...JSON.parse(what).program.files].filter(isOutside).map(path => path.slice(0, path.lastIndexOf('/'))));
  const files = [...filesBelow(folder), ...[...more].flatMap(path => filesBelow(path, path.slice(1) + '/'))];
  const ahead = Object.fromEntries(Object.entries(site.ahead).map(([name, address]) => [name, new URL(address, location.href).href]));
  runner.postMessage({ base: ownCode, compiler: site.compiler, ahead, what, folder, files });
}

// ---- frames: only when something happened
let fromFile = false;  // what is shown came as a file
let asked = false, timer = 0, running = false, first = true;
function wake() {
  if (asked || !running || failed || frame && !frame.seen) return;
  page.resting = false;
  asked = true;
  requestAnimationFrame(draw);
}
function draw() {
  asked = false;
  clearTimeout(timer);
  if (failed) return;
  let wait = -1;
  const began = performance.now();
  try { wait = Module._page_frame(); } catch (e) { fails(ofError(e)); throw e; }
  page.longest = Math.max(page.longest, performance.now() - began);
  if (first && !failed) {
    first = false;
    byId('wait').hidden = true;
    if (!frame) canvas.focus();  // the page around a frame keeps the keyboard, and its place
    for (const [path, name, take] of chinese) if (!FS.analyzePath(path).exists) lazy(path, name, take);
    page.firstFrame = performance.now();
    if (page.notice) tell(() => withText(page.notice, Module._page_say));
    if (page.forgot) tell(() => withText(page.forgot, Module._page_forgot));
    if (!frame && navigator.serviceWorker) navigator.serviceWorker.register('service_worker.js').catch(e => console.warn(e));
    document.dispatchEvent(new Event('barrierscope-ready'));
  }
  page.frames++;
  download('/downloads');
  // what takes long is done when the frame that says so is on the screen
  if (Module._page_has_work()) { page.resting = false; setTimeout(() => { tell(Module._page_work); }); return; }
  page.resting = wait < 0;
  if (wait === 0) wake();
  else if (wait > 0) timer = setTimeout(wake, wait * 1000);
}
function tell(f) {
  if (!running || failed) return;
  try { f(); } catch (e) { fails(ofError(e)); throw e; }
  Module._page_happened();
}
function resize() {
  const ratio = devicePixelRatio || 1, box = canvas.getBoundingClientRect();
  const width = Math.max(1, Math.round(box.width)), height = Math.max(1, Math.round(box.height));
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  Module._page_resize(width, height, ratio);
}

/// What was set last is known here: asking WebGL waits until all is drawn.
function remember(gl) {
  const known = new Map();
  const after = (name, note) => { const f = gl[name].bind(gl); gl[name] = (...a) => { note(a); return f(...a); }; };
  const ask = gl.getParameter.bind(gl), isOn = gl.isEnabled.bind(gl), on = new Map();
  const textures = new Map();
  let unit = gl.TEXTURE0;
  after('activeTexture', a => { unit = a[0]; });
  after('bindTexture', a => { if (a[0] === gl.TEXTURE_2D) textures.set(unit, a[1]); });
  after('useProgram', a => known.set(gl.CURRENT_PROGRAM, a[0]));
  after('bindVertexArray', a => known.set(gl.VERTEX_ARRAY_BINDING, a[0]));
  after('bindBuffer', a => { if (a[0] === gl.ARRAY_BUFFER) known.set(gl.ARRAY_BUFFER_BINDING, a[1]); });
  after('bindSampler', a => known.set(gl.SAMPLER_BINDING, a[1]));
  after('viewport', a => known.set(gl.VIEWPORT, new Int32Array(a)));
  after('scissor', a => known.set(gl.SCISSOR_BOX, new Int32Array(a)));
  const blend = (rgb, alpha) => { const [s, d, sa, da] = [gl.BLEND_SRC_RGB, gl.BLEND_DST_RGB, gl.BLEND_SRC_ALPHA, gl.BLEND_DST_ALPHA];
    known.set(s, rgb[0]); known.set(d, rgb[1]); known.set(sa, alpha[0]); known.set(da, alpha[1]); };
  after('blendFunc', a => blend(a, a));
  after('blendFuncSeparate', a => blend(a, a.slice(2)));
  after('blendEquation', a => { known.set(gl.BLEND_EQUATION_RGB, a[0]); known.set(gl.BLEND_EQUATION_ALPHA, a[0]); });
  after('blendEquationSeparate', a => { known.set(gl.BLEND_EQUATION_RGB, a[0]); known.set(gl.BLEND_EQUATION_ALPHA, a[1]); });
  after('enable', a => on.set(a[0], true));
  after('disable', a => on.set(a[0], false));
  gl.isEnabled = what => { if (!on.has(what)) on.set(what, isOn(what)); return on.get(what); };
  gl.getParameter = what => {
    if (what === gl.ACTIVE_TEXTURE) return unit;
    if (what === gl.TEXTURE_BINDING_2D) return textures.get(unit) ?? null;
    if (!known.has(what)) known.set(what, ask(what));
    return known.get(what);
  };
}

const cursors = ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer', 'wait', 'progress',
  'not-allowed'];
const page = window.barrierscope = {
  prefersLight, wake, fails, pasted: '', picked: null, firstFrame: 0, frames: 0, longest: 0, tookOver: [], resting: false,
  openedContext: remember,
  begins() {
    running = true;
    const coarse = matchMedia('(pointer: coarse)'), tellCoarse = () => Module._page_coarse(coarse.matches);
    coarse.addEventListener('change', () => tell(tellCoarse));
    tellCoarse();
    resize();
    new ResizeObserver(() => tell(resize)).observe(canvas);
    // A browser takes the graphics from a page when memory is short or the GPU starts anew. The address says what
    // was on the screen, so that the page can begin anew with it.
    canvas.addEventListener('webglcontextlost', e => {
      e.preventDefault();  // else it never comes back
      fails(either('The browser has taken the graphics away. The page begins anew when they are back.',
        '浏览器收回了图形功能。恢复后页面会重新开始。'));
    });
    canvas.addEventListener('webglcontextrestored', () => location.reload());
    wake();
    if (frame) { frame.wakes(wake); frame.page(page); frame.begins(); }
  },
  /// The address follows the app, without a new entry in the browser's history.
  async link(query, path) {
    const isHere = path && !isOutside(path), isProgram = page.runsPrograms && isHere && !path.endsWith('.bscope');
    const asked = ++links, hash = isProgram ? await hashOfProgram() : '';
    if (asked !== links) return;  // the app has gone on meanwhile
    programHash = hash;
    isTooLong = isProgram && !hash;
    const inFull = query;
    if (isTooLong) query = '';  // its files are kept instead
    if (query) fromFile = false;
    if (frame && !fromFile) {
      whole.href = location.pathname + (query ? '?' + query : '');
      whole.hidden = !parseFloat(whole.style.width);
    }
    const end = hash || (location.hash.startsWith(programMark) ? '' : location.hash);
    history.replaceState(null, '', (frame ? frame.link(query) : query ? '?' + query : location.pathname) + end);
    if (isHere && !frame && !hash) stash(path, isProgram ? inFull : '');
  },
  /// A real link, over the one that is drawn.
  wholeAppAt(x, y, w, h) {
    Object.assign(whole.style, { left: x + 'px', top: y + 'px', width: w + 'px', height: h + 'px' });
    whole.hidden = !w || fromFile;
  },
  /// A .bscope file that the page around a frame has sent. No link can say it, so there is none to the whole app.
  opens(bytes) {
    const path = 'sent.bscope';
    FS.writeFile(path, bytes);
    fromFile = whole.hidden = true;
    whole.removeAttribute('href');
    tell(() => withText(path, Module._page_open_file));
  },
  tellHost(json) { if (frame) frame.tell(JSON.parse(json)); },
  /// Gives back what drawing has taken; what is shown must be in the address.
  sleeps() {
    const gl = Module.ctx, lose = gl && gl.getExtension('WEBGL_lose_context');
    if (failed || !whole.getAttribute('href')) return false;
    running = false;
    if (lose) lose.loseContext();
    return true;
  },
  cursor(shape) { canvas.style.cursor = shape < 0 ? 'none' : cursors[shape] || 'default'; },
  /// A field of the page takes the keys, so that input methods and keyboards on glass come up.
  wantsText(wants) {
    if (wants && document.activeElement !== typed) { typed.value = unseen; typed.focus({ preventScroll: true }); }
    else if (!wants && document.activeElement === typed) canvas.focus({ preventScroll: true });
  },
  /// Where the caret is: what is being composed stands there, and so does the list of characters to choose from.
  caret(x, y, height) {
    typed.style.left = x + 'px';
    typed.style.top = y + 'px';
    typed.style.height = typed.style.fontSize = height + 'px';
  },
  copy(text) {
    if (text.startsWith(location.origin + location.pathname + '?')) {
      text += programHash;
      if (isTooLong) setTimeout(() => refuse(tooLong));  // behind the app's own notice
    }
    const byHand = () => {
      const last = document.activeElement;
      typed.value = text;
      typed.select();
      document.execCommand('copy');
      typed.value = unseen;
      last && last.focus();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).catch(byHand);
    else byHand();
  },
  asset(path) { return lazies.has(path) ? lazies.get(path)() : 0; },
  pick() {
    const field = document.createElement('input');
    page.picked = null;
    field.type = 'file';
    field.oncancel = () => { page.picked = ''; tell(() => {}); };
    field.multiple = page.runsPrograms;
    field.onchange = async () => {
      try { page.picked = field.files.length ? (await put(of => of.filesOf([...field.files].map(f => [f.name, f]))))[0] : ''; }
      catch (e) { page.picked = ''; refuse(e); }
      tell(() => {});
    };
    field.click();
  },
  /// Whether new and changed programs can be compiled, and whether any can be run: a page may come with compiled ones.
  get compiles() { return site.compiler !== 'none'; },
  get runsPrograms() { return this.compiles || Object.keys(site.ahead).length > 0; },
  ask(what, file, isProgram) {
    if (isProgram) runProgram(what, file);
    else make(what, file ? [[file, FS.readFile(file)]] : []);
  },
  dismiss,
  took() { made = []; taking = false; },
  take(heap, into, bytes) {
    const asked = bytes;
    while (bytes && made.length) {
      const n = Math.min(bytes, made[0].length);
      heap.set(made[0].subarray(0, n), into);
      made[0] = made[0].subarray(n);
      into += n, bytes -= n;
      if (!made[0].length) made.shift();
    }
    return asked - bytes;
  },
};

// ---- what people do
function listen() {
  const place = e => { const box = canvas.getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
  const at = e => Module._page_mouse(...place(e));
  const glass = e => e.pointerType === 'touch';
  const finger = (e, phase) => tell(() => Module._page_finger(e.pointerId, phase, ...place(e)));
  canvas.addEventListener('pointermove', e => { if (glass(e)) finger(e, 1); else tell(() => at(e)); });
  canvas.addEventListener('pointerdown', e => {
    canvas.setPointerCapture(e.pointerId);
    if (!glass(e)) canvas.focus({ preventScroll: true });
    e.preventDefault();
    if (glass(e)) finger(e, 0);
    else tell(() => { at(e); Module._page_button(e.button, true); });
  });
  for (const [end, phase] of [['pointerup', 2], ['pointercancel', 3]]) canvas.addEventListener(end, e => {
    if (!glass(e)) { tell(() => { at(e); Module._page_button(Math.max(0, e.button), false); }); return; }
    finger(e, phase);
    // A keyboard on glass comes up only for what a tap itself does: its frames are drawn at once.
    for (let k = 0; k < 4 && phase === 2 && running && !failed; ++k) draw();
  });
  if (frame) canvas.style.touchAction = 'pan-y';  // a finger still scrolls the page around it
  // a finger whose end was not told (Firefox, of two that leave at once) has left all the same
  canvas.addEventListener('pointerleave', e => { if (glass(e)) finger(e, 3); else tell(() => Module._page_mouse(-1e9, -1e9)); });
  canvas.addEventListener('contextmenu', e => e.preventDefault());
  canvas.addEventListener('wheel', e => {
    if (frame && !e.ctrlKey && !e.metaKey) return;  // the page around it scrolls
    e.preventDefault();
    const notch = [100, 3, 1][e.deltaMode] || 100;
    tell(() => { at(e); Module._page_wheel(-e.deltaX / notch, -e.deltaY / notch); });
  }, { passive: false });
  /// Does the app use the key? All others are the browser's: its address, loading again, going back, its tools.
  const isApps = e => {
    if (/^F\d+$/.test(e.key)) return e.key === 'F1';
    if (/^(Control|Shift|Alt|Meta)$/.test(e.key)) return true;
    if (e.altKey && !e.ctrlKey && !e.metaKey) return !/^(ArrowLeft|ArrowRight|Home|F4|Tab|d)$/i.test(e.key);
    if (!e.ctrlKey && !e.metaKey) return true;
    if (e.shiftKey && /^[ijr]$/i.test(e.key)) return false;
    if (/^([acvxyzkpose]|Enter|Backspace|Delete|ArrowUp|ArrowDown)$/i.test(e.key)) return true;
    return /^(Arrow|Home|End)/.test(e.key) && (e.ctrlKey || document.activeElement === typed);
  };
  const keys = (e, down) => {
    if (document.activeElement !== canvas && document.activeElement !== typed && document.activeElement !== document.body) return;
    if (e.isComposing || e.keyCode === 229) return;
    if (frame && /^(Tab|ArrowUp|ArrowDown|PageUp|PageDown)$/.test(e.key)) return;  // are the page's around it
    if (!isApps(e)) return;
    const command = e.ctrlKey || e.metaKey, one = [...e.key].length === 1;
    const both = command && /^[cvx]$/i.test(e.key);  // the browser copies and pastes, too
    if (!both && !(one && !command && document.activeElement === typed)) e.preventDefault();
    tell(() => {
      const at = stackSave();
      try {
        Module._page_key(allocateUTF8OnStack(e.key), allocateUTF8OnStack(e.code), down,
          (e.ctrlKey ? 1 : 0) | (e.shiftKey ? 2 : 0) | (e.altKey ? 4 : 0) | (e.metaKey ? 8 : 0));
      } finally { stackRestore(at); }
      if (down && one && !command && document.activeElement !== typed) withText(e.key, Module._page_text);
    });
  };
  addEventListener('keydown', e => keys(e, true));
  addEventListener('keyup', e => keys(e, false));
  // The field always holds one letter that nobody sees, so that a keyboard on glass has something to take back.
  const press = key => withText(key, text => { Module._page_key(text, text, true, 0); Module._page_key(text, text, false, 0); });
  const takeTyped = e => {
    if (e.isComposing) return;
    const text = typed.value, gone = !text.startsWith(unseen), wrote = text.replace(unseen, '');
    typed.value = unseen;
    tell(() => {
      if (gone && !wrote) press('Backspace');
      else if (wrote === '\n') press('Enter');
      else if (wrote) withText(wrote, Module._page_text);
    });
  };
  typed.addEventListener('input', takeTyped);
  typed.addEventListener('compositionstart', () => typed.classList.add('composing'));
  typed.addEventListener('compositionend', e => { typed.classList.remove('composing'); takeTyped(e); });
  addEventListener('paste', e => {
    page.pasted = e.clipboardData.getData('text');
    e.preventDefault();
    tell(() => {});
  });
  if (!frame) addEventListener('dragover', e => e.preventDefault());
  if (!frame) addEventListener('drop', e => {
    e.preventDefault();
    const dropped = [...e.dataTransfer.files], entries = [...e.dataTransfer.items].map(item => item.webkitGetAsEntry?.());  // they are gone soon
    if (dropped.length) openAll(of => of.filesOfDrop(entries.filter(Boolean), dropped));
    const link = (e.dataTransfer.getData('text/uri-list') || e.dataTransfer.getData('text/plain')).trim().split(/[\r\n]/)[0];
    if (!e.dataTransfer.files.length && link.length < 20000 && /^(https?:|barrierscope:|\?)/.test(link))
      tell(() => withText(link, Module._page_open_file));
  });
  addEventListener('focus', () => tell(() => Module._page_focus(true)));
  addEventListener('blur', () => tell(() => Module._page_focus(false)));
  const end = () => { if (running && !failed) { Module._page_ends(); keep(); } };
  addEventListener('pagehide', end);
  document.addEventListener('visibilitychange', () => { if (document.hidden) end(); });
  setInterval(() => { if (running && !failed) keep(); }, 10000);
}

// ---- the beginning
window.Module = {
  canvas, page, arguments: words(),
  print: s => console.log(s),
  printErr: s => { console.warn(s); page.said = s; },
  onAbort: what => fails(ofError(what)),
  onExit: code => { if (code && !running) fails(page.said || 'Barrierscope has ended with exit code ' + code + '.'); },
  quit: (code, thrown) => { if (code && !running) fails((page.said || 'exit code ' + code).replace(/^barrierscope: /, '')); throw thrown; },
  instantiateWasm: (imports, done) => {
    (async () => {
      let made;
      try { made = await WebAssembly.instantiateStreaming(counted(await fetched('barrierscope.wasm')), imports); }
      catch (e) {  // a server that calls it something else, a connection that ended
        made = await WebAssembly.instantiate(await bytesOf('barrierscope.wasm'), imports);
      }
      compiled = page.compiled = made.module;
      done(made.instance, made.module);
    })().catch(e => fails(ofError(e)));
    return {};
  },
  preRun: [() => {
    FS.mkdirTree(home);
    FS.mkdirTree('/files');
    FS.chdir('/files');
    const asksForLesson = () => Module.arguments.some(word => /[?&]lesson=/.test(word));
    let lessons = asksForLesson() ? filesOfPack('lessons.pack') : null;  // while the program comes
    lessons?.catch(() => {});
    const load = frame ? done => done() : done => { FS.mount(IDBFS, {}, home); FS.syncfs(true, done); };
    addRunDependency('kept');
    load(async () => {
      kept = files(home);
      await unstash();
      try { Object.assign(site, await (await fetched('site.json')).json()); } catch (e) { console.warn(e); }
      if (site.packs.length || asksForLesson()) lessons ??= filesOfPack('lessons.pack');
      if (lessons) try { for (const [path, bytes] of await lessons) write(path, bytes); }
      catch (e) { refuse(e); lessons = null; }
      if (!lessons) lazyFolders(['/assets/lessons', '/assets/templates', '/assets/assignments', '/assets/inputs'], 'lessons.pack');
      for (const name of site.packs) try { await pack(name); } catch (e) { refuse(e); }
      if (location.hash.startsWith(filesMark)) try { Module.arguments.push(...await openFilesOf(location.hash.slice(filesMark.length))); }
      catch (e) { refuse(e); }
      if (page.runsPrograms && location.hash.startsWith(programMark)) try {
        putAll(await (await programFiles()).filesOfLink(location.hash));
        programHash = location.hash;
      } catch (e) { refuse(e); }
      for (const [path, name, take] of speaksChinese() ? chinese : []) {
        try {
          const bytes = new Uint8Array(await bytesOf(name));
          write(path, take ? take(bytes) : bytes);
        } catch (e) { console.warn(e); }
      }
      removeRunDependency('kept');
    });
    for (const name of recorded) lazy('/assets/' + name, name);
    FS.mkdirTree('/assets/lessons/zh');  // before what is asked of that folder fetches its files
    addRunDependency('base');
    pack('base.pack', sizes.base).then(() => removeRunDependency('base'), e => fails(ofError(e)));
  }],
};
byId('again').onclick = () => location.reload();  // the address says what was on screen
const lack = lacks();
if (lack) { fails(lack); return; }
listen();
const program = document.createElement('script');
program.src = 'barrierscope.js?' + version;
program.onerror = () => fails(ofError(new NotFetched('barrierscope.js', 0)));
if (frame) frame.firstSeen.then(() => document.body.append(program));
else document.body.append(program);
})();
