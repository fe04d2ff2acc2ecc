// Enhances the form of the start page: long files, live reading and a saved draft.
const box = document.getElementById('box');
const listBox = document.getElementById('text');

// Longer files are not pasted: a text field with millions of characters is slow.
const pastedBytesMax = 1024 * 1024;
let longFile = null;

/** Pastes a file into the text field, or uploads a long one. */
async function takeFile(file) {
  if (file.size > pastedBytesMax) return takeLongFile(file);
  const before = listBox.value.trim();
  listBox.value = [before, textOf(await file.arrayBuffer())].filter(Boolean).join('\n');
  listBox.dispatchEvent(new Event('input', { bubbles: true }));
  listBox.focus();
}

/** Decodes a file: spreadsheets also write UTF-16 and Windows-1252. */
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

/** Sends one request at a time: the service reads one file at once, and charges only what it has shown. */
function sendFile(check) {
  sending = sending.then(() => send(check));
  return sending;
}

/** Sends the file as the body, and the form's fields in the query. */
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
    reading.textContent = 'We could not read the file. You were not charged. Try again in a moment.';
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

// True while the script moves the switch.
let isMoved = false;

/** Updates the buttons, and moves the switch to fit the list unless the user has set it. */
function followReading() {
  const reading = document.getElementById('reading');
  if (!reading) return;
  for (const id of ['go', 'watch']) {
    const button = document.getElementById(id);
    if (button) button.textContent = reading.dataset[id];
  }
  const { type, moved_by: movedBy } = box.elements;
  // Checks that the balance does not cover are not the primary action. Saving a monitor's list costs nothing.
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

/** Ctrl+Enter starts the check. */
listBox.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  box.requestSubmit(document.getElementById('go'));
});

/** Keeps a draft in the browser until the service has accepted it, because the request may fail. */
const keptAs = (account) => `sonde.box.${account}`;

function keepList() {
  try {
    if (listBox.value === '') localStorage.removeItem(keptAs(box.dataset.keep));
    else localStorage.setItem(keptAs(box.dataset.keep), listBox.value);
  } catch {
    // The draft is too long, or storage is disabled.
  }
}

const kept = localStorage.getItem(keptAs(box.dataset.keep));
if (listBox.value === '' && kept) {
  listBox.value = kept;
  // htmx starts to listen in an earlier task.
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

// A long file has its own requests.
document.addEventListener('htmx:before:request', (event) => {
  if (longFile && event.target.closest?.('#box')) event.preventDefault();
});

const language = box.elements.language;

/** Chooses the language of the country, unless the user has chosen one. */
box.elements.country?.addEventListener('change', (event) => {
  if (language.dataset.isChosen) return;
  const country = event.target.value;
  const likely = new Intl.Locale(`und-${country}`).maximize().language;
  const known = [...language.options].map(({ value }) => value);
  language.value = [`${likely}-${country}`, likely].find((code) => known.includes(code)) ?? language.value;
});

language?.addEventListener('change', () => {
  language.dataset.isChosen = 'yes';
});

document.addEventListener('htmx:after:swap', followReading);
