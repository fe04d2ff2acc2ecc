// What pages do beyond their forms: nothing here is needed to use them.
const root = document.documentElement;
root.classList.add('script');

// As the server writes them (format.ts).
const dayParts = { day: 'numeric', month: 'short', year: 'numeric' };
const timeParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' };
const moment = new Intl.DateTimeFormat('en-GB', { ...dayParts, ...timeParts });
const utcMoment = new Intl.DateTimeFormat('en-GB', { ...dayParts, ...timeParts, timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', dayParts);
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const daySeconds = 86_400;
const units = [
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago, in the largest unit that there is one of; the day where that was more than a day ago. */
function relative(date) {
  const seconds = (Date.now() - date) / 1000;
  if (seconds >= daySeconds) return day.format(date);
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? [];
  return unit ? ago.format(-Math.floor(seconds / length), unit) : 'just now';
}

// The guide's menu is as high as a phone: it stands open where there is room beside the text.
if (matchMedia('(width <= 48rem)').matches) document.querySelector('.guide .menu')?.removeAttribute('open');

/** Times in the reader's zone; in lists, how long ago on the same day, for one looks for an older one by its date. */
function showLocalTimes() {
  for (const time of document.querySelectorAll('time[datetime]')) {
    const date = new Date(time.dateTime);
    const isRelative = time.hasAttribute('data-relative');
    const text = isRelative ? relative(date) : moment.format(date);
    if (time.textContent === text) continue;
    time.title = isRelative ? moment.format(date) : utcMoment.format(date);
    time.textContent = text;
  }
  // In pictures, which have no element for it.
  for (const label of document.querySelectorAll('svg [data-day]')) {
    label.textContent = day.format(new Date(label.dataset.day));
  }
  for (const label of document.querySelectorAll('svg [data-at]')) {
    const date = new Date(label.dataset.at);
    label.textContent = label.textContent.replace(utcMoment.format(date), moment.format(date));
  }
}

/** Forms in which a schedule is made know the reader's zone; without this it is UTC. */
for (const field of document.querySelectorAll('[data-timezone]')) {
  field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
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

if (/^\/(batches|submissions|monitors)\/./.test(location.pathname)) {
  // What was typed was taken.
  const sent = sessionStorage.getItem('sonde.sent');
  if (sent) localStorage.removeItem(`sonde.box.${sent}`);
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

// A page nobody looks at asks for nothing.
document.addEventListener('htmx:before:request', (event) => {
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

document.addEventListener('change', (event) => {
  if (event.target.closest('.sorting')) event.target.form.submit();
});

document.addEventListener('htmx:after:swap', () => {
  showLocalTimes();
  showTitle();
});
showLocalTimes();
showTitle();
