// What pages do beyond their forms: nothing here is needed to use them.
const root = document.documentElement;
root.classList.add('script');

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago, in the largest unit that there is one of. */
function relative(date) {
  const seconds = (Date.now() - date) / 1000;
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? [];
  return unit ? ago.format(-Math.floor(seconds / length), unit) : 'just now';
}

/** Times in the reader's zone; in lists, how long ago. */
function showLocalTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const date = new Date(time.dateTime);
    const isRelative = time.hasAttribute('data-relative');
    const text = isRelative ? relative(date) : moment.format(date);
    if (time.textContent === text) continue;
    time.title = isRelative ? moment.format(date) : `${time.dateTime.slice(0, 19).replace('T', ' ')} UTC`;
    time.textContent = text;
  }
}

/** While a batch runs the window's name says how far it is. */
function showTitle() {
  const title = document.getElementById('head')?.dataset.title;
  if (title) document.title = `${title} · Sonde`;
}

async function copy(button) {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  const words = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = words;
  }, 1500);
}

const box = document.getElementById('box');
const listBox = document.getElementById('text');

// What is longer stays a file: a page with millions of characters in a field is slow.
const pastedBytesMax = 1024 * 1024;
let longFile = null;

/** A file goes into the box, where it can be looked at; a long one is read where it is. */
async function takeFile(file) {
  if (file.size > pastedBytesMax) return takeLongFile(file);
  const before = listBox.value.trim();
  listBox.value = [before, textOf(await file.arrayBuffer())].filter(Boolean).join('\n');
  listBox.dispatchEvent(new Event('input', { bubbles: true }));
  listBox.focus();
}

/** Spreadsheets write UTF-16 and Windows-1252, too. */
function textOf(buffer) {
  const [first, second] = new Uint8Array(buffer);
  const isUtf16 = (first === 0xff && second === 0xfe) || second === 0;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(buffer);
  } catch {
    return new TextDecoder('windows-1252').decode(buffer);
  }
}

function takeLongFile(file) {
  longFile = file;
  const note = document.getElementById('chosen-file');
  note.hidden = false;
  note.firstElementChild.textContent = `${file.name}, ${(file.size / 1024 / 1024).toFixed(1)} MB`;
  listBox.value = '';
  listBox.disabled = true;
  return sendFile('read');
}

/** The file as it is, and the fields of the form beside it. */
async function sendFile(check) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(box)) {
    if (typeof value === 'string' && name !== 'form_token' && name !== 'text') fields.append(name, value);
  }
  fields.set('check', check);
  const headers = { 'X-Form-Token': box.elements.form_token.value };
  const init = { method: 'POST', body: longFile, headers };
  const response = await fetch(`/file?${fields}`, init).catch(() => null);
  if (response?.status === 201) return location.assign(response.headers.get('Location'));
  const text = response ? await response.text() : '';
  const reading = document.getElementById('reading');
  if (text.includes('id="reading"')) {
    reading.outerHTML = text;
    window.htmx?.process(document.getElementById('reading'));
  } else {
    reading.textContent = 'The file could not be read. Nothing was charged. Try again in a moment.';
  }
}

box?.addEventListener('submit', (event) => {
  const check = event.submitter?.value;
  if (!longFile || !['read', 'http', 'index', 'ranks'].includes(check)) return;
  event.preventDefault();
  sendFile(check);
});

box?.addEventListener('change', (event) => {
  if (longFile && event.target.closest('#reading')) sendFile('read');
});

document.querySelector('#chosen-file button')?.addEventListener('click', () => location.assign('/'));

/** What was typed is kept in this browser until it was taken, for the next page may fail to arrive. */
const keptAs = (account) => `sonde.box.${account}`;

function keepList() {
  try {
    if (listBox.value === '') localStorage.removeItem(keptAs(box.dataset.keep));
    else localStorage.setItem(keptAs(box.dataset.keep), listBox.value);
  } catch {
    // It is longer than a browser keeps, or this one keeps nothing.
  }
}

if (listBox) {
  const kept = localStorage.getItem(keptAs(box.dataset.keep));
  if (listBox.value === '' && kept) {
    listBox.value = kept;
    // htmx begins to listen in a turn of its own, which comes before this one.
    setTimeout(() => listBox.dispatchEvent(new Event('input', { bubbles: true })));
  }
  listBox.addEventListener('input', keepList);
  box.addEventListener('submit', () => {
    keepList();
    sessionStorage.setItem('sonde.sent', box.dataset.keep);
  });
} else if (/^\/(batches|submissions)\/./.test(location.pathname)) {
  const sent = sessionStorage.getItem('sonde.sent');
  if (sent) localStorage.removeItem(keptAs(sent));
  sessionStorage.removeItem('sonde.sent');
}

document.querySelector('form[action="/sign-out"]')?.addEventListener('submit', () => {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith('sonde.box.')) localStorage.removeItem(name);
  }
});

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (button) copy(button);
});

/** A token typed into the guide stands in its samples; it goes nowhere else. */
document.addEventListener('input', (event) => {
  if (!event.target.matches('[data-token]')) return;
  const token = event.target.value.replaceAll(/[^\w-]/g, '');
  for (const code of document.querySelectorAll('[data-sample]')) {
    code.dataset.text ??= code.textContent;
    code.textContent = code.dataset.text.replace('your token, from the dashboard', token || '$&');
  }
});

document.addEventListener('change', async (event) => {
  if (event.target.matches('input[type=file]') && event.target.files[0]) {
    await takeFile(event.target.files[0]);
    event.target.value = '';
  }
});

document.addEventListener('dragover', (event) => {
  if (event.target.id === 'text') event.preventDefault();
});

document.addEventListener('drop', (event) => {
  const [file] = event.dataTransfer?.files ?? [];
  if (event.target.id !== 'text' || !file) return;
  event.preventDefault();
  takeFile(file);
});

// A page nobody looks at asks for nothing.
document.addEventListener('htmx:before:request', (event) => {
  if (longFile && event.target.closest?.('#box')) event.preventDefault();
  if (document.hidden && event.detail?.ctx?.request?.method === 'GET') event.preventDefault();
});

/** Whether the service answers what the page asks by itself. */
const away = document.getElementById('away');

document.addEventListener('htmx:error', () => {
  if (away) away.hidden = false;
});

document.addEventListener('htmx:after:request', (event) => {
  const status = event.detail?.ctx?.response?.status;
  if (away && status) away.hidden = status < 502;
});

/** A menu closes when one goes elsewhere. */
function closeMenus(except) {
  for (const menu of document.querySelectorAll('details.drop[open]')) if (menu !== except) menu.open = false;
}

document.addEventListener('click', (event) => closeMenus(event.target.closest('details.drop')));

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    const open = document.querySelector('details.drop[open]');
    closeMenus(null);
    open?.querySelector('summary').focus();
  }
});

const language = box?.elements.language;

/** The language of a country comes with it, unless one was chosen. */
box?.elements.country?.addEventListener('change', (event) => {
  if (language.dataset.isChosen) return;
  const likely = new Intl.Locale(`und-${event.target.value}`).maximize().language;
  if ([...language.options].some(({ value }) => value === likely)) language.value = likely;
});

language?.addEventListener('change', () => {
  language.dataset.isChosen = 'yes';
});

document.addEventListener('change', (event) => {
  if (event.target.closest('.sorting')) event.target.form.submit();
});

document.addEventListener('htmx:after:swap', () => {
  showLocalTimes();
  showTitle();
});
showLocalTimes();
showTitle();
