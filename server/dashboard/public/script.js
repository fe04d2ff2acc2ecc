// What pages do beyond their forms: nothing here is needed to use them.
const root = document.documentElement;
root.classList.add('script');

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Times in the reader's zone. */
function showLocalTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const text = moment.format(new Date(time.dateTime));
    if (time.textContent !== text) {
      time.title = `${time.dateTime.slice(0, 19).replace('T', ' ')} UTC`;
      time.textContent = text;
    }
  }
}

async function copy(button) {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  const words = button.textContent;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = words;
  }, 1500);
}

/** A file goes into the box, where it can be looked at. */
async function takeFile(file) {
  const box = document.getElementById('text');
  const before = box.value.trim();
  box.value = [before, await file.text()].filter(Boolean).join('\n');
  box.dispatchEvent(new Event('input', { bubbles: true }));
  box.focus();
}

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
  if (document.hidden && event.detail?.ctx?.request?.method === 'GET') event.preventDefault();
});

document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

document.addEventListener('htmx:after:swap', showLocalTimes);
showLocalTimes();
