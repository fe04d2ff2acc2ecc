// What the box of the first screen does beyond its form.
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

let sending = Promise.resolve();

/** One after the other: what is charged has been shown, and the service takes one file at once. */
function sendFile(check) {
  sending = sending.then(() => send(check));
  return sending;
}

/** The file as it is, and the fields of the form beside it. */
async function send(check) {
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
    followReading();
  } else {
    reading.textContent = 'The file could not be read. Nothing was charged. Try again in a moment.';
  }
}

box.addEventListener('submit', (event) => {
  const check = event.submitter?.value;
  if (!longFile || !['read', 'go', 'watch'].includes(check)) return;
  event.preventDefault();
  sendFile(check);
});

box.addEventListener('change', (event) => {
  if (longFile && event.target.closest('#reading, .switch')) sendFile('read');
});

document.querySelector('#chosen-file button')?.addEventListener('click', () => location.reload());

// Whether it was the script that moved the switch.
let isMoved = false;

/** The button says what would be checked; the switch goes to what the list is for, unless somebody has set it. */
function followReading() {
  const reading = document.getElementById('reading');
  if (!reading) return;
  for (const id of ['go', 'watch']) {
    const button = document.getElementById(id);
    if (button) button.textContent = reading.dataset[id];
  }
  const { type, moved_by: movedBy } = box.elements;
  // What there are too few credits for is not what one is led to; a list of a monitor is only saved.
  const isRefused = reading.dataset.isShort === 'yes' && !box.elements.monitor;
  document.getElementById('go')?.classList.toggle('secondary', isRefused);
  if (box.dataset.isSet || reading.dataset.kind === 'nothing') return;
  const wanted = reading.dataset.kind === 'keywords' ? 'ranks' : 'http';
  if ((type.value === 'ranks') === (wanted === 'ranks')) return;
  type.value = wanted;
  movedBy.value = 'script';
  if (longFile) return sendFile('read');
  const chosen = [...type].find(({ checked }) => checked);
  isMoved = true;
  chosen.dispatchEvent(new Event('change', { bubbles: true }));
  isMoved = false;
}

box.addEventListener('change', (event) => {
  if (event.target.name !== 'type' || isMoved) return;
  box.dataset.isSet = 'yes';
  box.elements.moved_by.value = '';
});

/** Ctrl+Enter in the box begins the check. */
listBox.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  box.requestSubmit(document.getElementById('go'));
});

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

// A long file is read where it is, not by what the box asks.
document.addEventListener('htmx:before:request', (event) => {
  if (longFile && event.target.closest?.('#box')) event.preventDefault();
});

const language = box.elements.language;

/** The language of a country comes with it, unless one was chosen. */
box.elements.country?.addEventListener('change', (event) => {
  if (language.dataset.isChosen) return;
  const likely = new Intl.Locale(`und-${event.target.value}`).maximize().language;
  if ([...language.options].some(({ value }) => value === likely)) language.value = likely;
});

language?.addEventListener('change', () => {
  language.dataset.isChosen = 'yes';
});

document.addEventListener('htmx:after:swap', followReading);
