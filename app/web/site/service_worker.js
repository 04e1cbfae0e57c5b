// Keeps the page's files in the browser, so that it works without a connection once it was loaded. Every address but
// those of HTML pages carries the version: a page gets the files of its own version, or none.
'use strict';
const version = '@version@', hashes = @hashes@;
const ofCourse = [];  // files that a course has added, each named by its content: `barrierscope page` lists them at this file's end
const folder = new URL('.', self.location).href, stores = `barrierscope ${folder} `, store = stores + version;
const first = ['site.webmanifest', 'frame.js', 'page.js', 'barrierscope.js', 'barrierscope.wasm', 'base.pack', 'barrierscope.svg', 'worker.js', 'program_files.js'];
const pages = ['app.html', 'index.html', 'index.zh.html', 'course.html'];
const newer = 'A newer version of this page is there.';

/// The file's name in this folder, without its query; null: it is of another folder.
function nameOf(address) {
  const file = address.split(/[?#]/)[0];
  return file.startsWith(folder) ? decodeURIComponent(file.slice(folder.length)) : null;
}
/// Whether the response holds the file that this version has. A server may have got a newer one meanwhile.
async function isOurs(name, response) {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()));
  return hashes[name] === Array.from(sum.subarray(0, 6), b => b.toString(16).padStart(2, '0')).join('');
}
/// The file of this version, which is kept from now on. Throws where there is no connection.
async function fetched(name, request) {
  const response = await fetch(request);
  if (!response.ok) return response;
  if (!await isOurs(name, response.clone())) return new Response(newer, { status: 410 });
  await (await caches.open(store)).put(name + '?' + version, response.clone());
  return response;
}
async function file(name, request) {
  const kept = await caches.match(name + '?' + version, { cacheName: store });
  return kept || fetched(name, request);
}

/// A file of another version: of a page that was loaded before this worker came, or of one that has just been loaded and
/// whose own worker is to come. The server has only the latest.
const latest = new Map();
async function ofOther(asked, request) {
  if (!latest.has(asked))
    latest.set(asked, fetch('service_worker.js', { cache: 'no-cache' }).then(r => r.text()).then(text => text.includes(asked)));
  let served = false;
  try { served = await latest.get(asked); } catch (e) { latest.delete(asked); }
  return served ? fetch(request) : new Response(newer, { status: 410 });
}

/// Its name says its content: it never changes.
async function courseFile(name, request) {
  const cache = await caches.open(store), kept = await cache.match(name);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(name, response.clone());
  return response;
}

/// A file that whoever hosts the page may change: from the server, and without a connection as it was last.
async function setting(name, request) {
  const cache = await caches.open(store);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(name, response.clone());
    return response;
  } catch (e) {
    const kept = await cache.match(name);
    if (!kept) throw e;
    return kept;
  }
}

/// A page comes from the server, so that a new version is seen at once; without a connection, or after some seconds, from
/// here. Only a page that asks for files of this version is kept.
async function pageOf(name, request) {
  const kept = await caches.match(name, { cacheName: store });
  const came = fetch(request).then(async response => {
    if (response.ok && !response.redirected) keepPage(name, response.clone()).catch(e => console.warn(e));
    return response;
  });
  if (!kept) return came;
  const late = new Promise(done => setTimeout(() => done(kept), 4000));
  return Promise.race([came.then(r => r.status < 500 ? r : kept, () => kept), late]);
}
async function keepPage(name, response) {
  const text = await response.clone().text();
  if (text.includes('?' + version)) await (await caches.open(store)).put(name, response);
}

addEventListener('install', event => event.waitUntil((async () => {
  for (const name of first) {
    const response = await file(name, new Request(name + '?' + version));
    if (!response.ok) throw new Error(name + ': ' + response.status);
  }
  await setting('site.json', new Request('site.json'));
  await keepPage('app.html', await fetch('app.html', { cache: 'no-cache' }));
  if (!await caches.match('app.html', { cacheName: store })) throw new Error(newer);
  if (ofCourse.length) await keepPage('course.html', await fetch('course.html', { cache: 'no-cache' }));
  await skipWaiting();
})()));
addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(stores) && name !== store) await caches.delete(name);
  await clients.claim();
})()));
addEventListener('fetch', event => {
  const request = event.request, name = request.method === 'GET' ? nameOf(request.url) : null;
  if (name === null) return;
  const asked = request.url.split('?')[1] || '', page = name === '' ? 'index.html' : name;
  if (pages.includes(page)) {
    if (request.mode === 'navigate') event.respondWith(pageOf(page, request));
  } else if (name === 'site.json') {
    event.respondWith(setting(name, request));
  } else if (ofCourse.includes(name)) {
    event.respondWith(courseFile(name, request));
  } else if (name in hashes && name.startsWith(`own_code/${version}/`)) {
    event.respondWith(file(name, request));
  } else if (name in hashes && /^[0-9a-f]{12}$/.test(asked)) {
    event.respondWith(asked === version ? file(name, request) : ofOther(asked, request));
  }
});
