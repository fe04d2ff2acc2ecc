// Enhances the form of the start page: reads the list while the user types, uploads files, keeps a draft.
const form = document.getElementById('intake');
const { text, type, file: picker, name: nameField } = form.elements;

/**
 * Posts the form. A file is sent as the body. Only one request runs at a time. Of the waiting requests, only the newest
 * is sent.
 */
let pending = Promise.resolve();
let newest = 0;

function post(submitter) {
  newest += 1;
  const nth = newest;
  pending = pending.then(async () => {
    if (nth !== newest) return;
    const reply = await send(submitter);
    if (nth === newest) show(reply, submitter);
  });
  return pending;
}

function send(submitter) {
  const data = new FormData(form, submitter);
  const [file] = picker.files;
  if (!file) return request('/read', data);
  const fields = new URLSearchParams({ file_name: file.name });
  for (const [name, value] of data) if (!unsent.has(name)) fields.append(name, value);
  return request(`/file?${fields}`, file);
}

/** Fields that a request with a file does not have in its URL. */
const unsent = new Set(['text', 'file', 'file_name', 'file_bytes', 'form_token']);

const progress = document.getElementById('progress');
const uploading = document.getElementById('upload');

/**
 * Sends a request, and shows the progress of an upload. Uses XMLHttpRequest, because fetch does not report progress.
 */
function request(path, body) {
  return new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', path);
    sending.setRequestHeader('HX-Request', 'true');
    sending.setRequestHeader('X-Form-Token', form.elements.form_token.value);
    // Hidden while the form shows a question. The bar would move the question while the user clicks on an answer.
    const isAsking = form.querySelector('.ask') && !form.classList.contains('replaced');
    uploading.hidden = isAsking || !(body instanceof File);
    uploading.firstElementChild.textContent = `Uploading ${body.name}`;
    sending.upload.onprogress = ({ loaded, total }) => {
      // Without a value, the bar shows that the service reads the file.
      if (loaded < total) progress.value = loaded / total;
      else progress.removeAttribute('value');
    };
    sending.onloadend = () => {
      uploading.hidden = true;
      resolve(sending);
    };
    sending.send(body);
  });
}

const note = document.getElementById('note');

function say(message) {
  note.className = 'notice bad';
  note.textContent = message;
  note.hidden = message === '';
}

/** Replaces the parts of the form that the response contains. */
function show(reply, submitter) {
  form.classList.remove('replaced');
  const path = reply.getResponseHeader('Location') ?? reply.getResponseHeader('HX-Redirect');
  if (path) return location.assign(path);
  const isPlain = reply.getResponseHeader('Content-Type')?.startsWith('text/plain');
  const parts = document.createRange().createContextualFragment(isPlain ? '' : reply.responseText);
  if (!parts.getElementById('reading')) {
    return say(
      isPlain
        ? reply.responseText
        : 'Sonde did not respond. Try again in a moment. The same list is not started or charged twice.',
    );
  }
  say('');
  // Keeps an answer that the user has meanwhile chosen for the same list.
  const { about } = form.elements;
  const answers = [...form.querySelectorAll('.ask :checked')];
  const focused = submitter ? 'summary' : document.activeElement?.id;
  for (const part of [...parts.children]) document.getElementById(part.id)?.replaceWith(part);
  for (const { name, value } of form.elements.about.value === about.value ? answers : [])
    for (const radio of form.querySelectorAll(`.ask [name="${name}"]`))
      radio.checked ||= radio.value === value;
  type.value = document.getElementById('reading').dataset.check;
  if (focused && document.activeElement === document.body) {
    (document.getElementById(focused) ?? document.getElementById('summary')).focus();
  }
  document.getElementById('said').textContent = document.getElementById('summary').textContent;
}

let proposedName = '';

/** Proposes the name of the chosen file as the name of the batch, and reads the file. */
function takeFile() {
  const [file] = picker.files;
  if (file && file.size > Number(picker.dataset.bytesMax)) {
    picker.value = '';
    return say(picker.dataset.tooLarge);
  }
  if (nameField && nameField.value === proposedName) {
    proposedName = file?.name ?? '';
    nameField.value = proposedName;
  }
  // Hides the price of the previous list.
  form.classList.add('replaced');
  return post();
}

/** Takes the only file of a drop or the clipboard. */
function takeFiles({ files }) {
  if (files.length > 1) return say('Choose one file at a time.');
  picker.files = files;
  return takeFile();
}

const carriesFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files');

document.addEventListener('dragover', (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  form.classList.add('dropping');
});

document.addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) form.classList.remove('dropping');
});

document.addEventListener('drop', (event) => {
  form.classList.remove('dropping');
  if (!carriesFiles(event)) return;
  event.preventDefault();
  takeFiles(event.dataTransfer);
});

document.addEventListener('paste', (event) => {
  // Cells copied from a spreadsheet come as text and as a picture. The text is used.
  if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
  event.preventDefault();
  takeFiles(event.clipboardData);
});

let typing = 0;

text.addEventListener('input', () => {
  keepDraft();
  clearTimeout(typing);
  typing = setTimeout(post, 300);
});

form.addEventListener('change', ({ target }) => {
  if (target === picker) return takeFile();
  // An answer is sent by the button of its question. Otherwise, arrow keys could not move between the answers.
  if (target === text || target === nameField || target.closest('.ask, .sources')) return;
  return post();
});

form.addEventListener('submit', (event) => {
  const { submitter } = event;
  const starts = submitter?.value === 'go' || submitter?.value === 'watch';
  const isSitemap = submitter?.value === 'sitemap' || submitter?.name === 'read_sitemap';
  if (isSitemap || (submitter?.value === 'read' && form.elements.sitemap.value !== '')) {
    picker.value = '';
  } else if (!starts || picker.files.length > 0) {
    event.preventDefault();
    if (submitter?.name !== 'remove_file') return post(submitter);
    picker.value = '';
    return takeFile();
  }
  keepDraft();
  sessionStorage.setItem('sonde.sent', form.dataset.draft);
});

/** Ctrl+Enter starts the check. */
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit(document.getElementById('go'));
});

/** Keeps a draft in the browser until the service has accepted the list, because the request may fail. */
const draftKey = `sonde.draft.${form.dataset.draft}`;

function keepDraft() {
  try {
    if (text.value === '') localStorage.removeItem(draftKey);
    else localStorage.setItem(draftKey, text.value);
  } catch {
    // The draft is too long, or storage is disabled.
  }
}

const draft = localStorage.getItem(draftKey);
if (text.value === '' && draft) {
  text.value = draft;
  post();
}
// A browser may restore the chosen file with the page.
if (picker.files.length > 0) takeFile();

const { country, language } = form.elements;

/** Chooses the language of the country if the user has not chosen a language. */
country?.addEventListener('change', () => {
  if (language.dataset.isChosen) return;
  const likely = new Intl.Locale(`und-${country.value}`).maximize().language;
  const known = [...language.options].map(({ value }) => value);
  const codes = [`${likely}-${country.value}`, likely];
  language.value = codes.find((code) => known.includes(code)) ?? language.value;
});

language?.addEventListener('change', () => {
  language.dataset.isChosen = 'yes';
});
