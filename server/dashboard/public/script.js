// Enhances pages. They also work without scripts.
const root = document.documentElement;
root.classList.add('script');

// The same formats as in format.ts.
const dayParts = { day: 'numeric', month: 'short', year: 'numeric' };
const timeParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' };
const moment = new Intl.DateTimeFormat('en-GB', { ...dayParts, ...timeParts });
const utcMoment = new Intl.DateTimeFormat('en-GB', { ...dayParts, ...timeParts, timeZone: 'UTC' });
const utcPrecise = new Intl.DateTimeFormat('en-GB', {
  ...dayParts,
  ...timeParts,
  second: '2-digit',
  timeZone: 'UTC',
});
const precise = new Intl.DateTimeFormat('en-GB', { ...dayParts, ...timeParts, second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', dayParts);
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const daySeconds = 86_400;
const units = [
  ['hour', 3_600],
  ['minute', 60],
];

/** Formats a time as `5 minutes ago`. Formats a time of more than a day ago as a date. */
function relative(date) {
  const seconds = (Date.now() - date) / 1000;
  if (seconds >= daySeconds) return day.format(date);
  const [unit, length] = units.find(([, each]) => seconds >= each) ?? [];
  return unit ? ago.format(-Math.floor(seconds / length), unit) : 'just now';
}

// On very narrow screens, the tabs scroll, and the current tab may be hidden.
document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

// On narrow screens, the open menu of the guide would cover the text.
if (matchMedia('(width <= 48rem)').matches) document.querySelector('.guide .menu')?.removeAttribute('open');

/** Shows times in the reader's time zone. In lists, shows recent times as `5 minutes ago`. */
function showLocalTimes() {
  // A day without a time is the same in all time zones.
  for (const time of document.querySelectorAll('time[datetime*="T"]')) {
    const date = new Date(time.dateTime);
    const isRelative = time.hasAttribute('data-relative');
    const format = time.hasAttribute('data-precise') ? precise : moment;
    const text = isRelative ? relative(date) : format.format(date);
    if (time.textContent === text) continue;
    time.title = isRelative ? moment.format(date) : utcMoment.format(date);
    time.textContent = text;
  }
  for (const option of document.querySelectorAll('option[data-at]')) {
    const date = new Date(option.dataset.at);
    option.textContent = option.textContent.replace(utcPrecise.format(date), precise.format(date));
  }
  // SVG has no time element.
  for (const label of document.querySelectorAll('svg [data-day]')) {
    label.textContent = day.format(new Date(label.dataset.day));
  }
  for (const label of document.querySelectorAll('svg [data-at]')) {
    const date = new Date(label.dataset.at);
    label.textContent = label.textContent.replace(utcMoment.format(date), moment.format(date));
  }
}

/** Fills in the reader's time zone. Without scripts, fields and texts stay UTC. */
for (const place of document.querySelectorAll('[data-timezone]')) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';
  if (place.tagName === 'INPUT') place.value ||= zone;
  else place.textContent = zone;
}

/** Shows the progress of a batch in the window title. */
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
  // The service has accepted the draft.
  const sent = sessionStorage.getItem('sonde.sent');
  if (sent) localStorage.removeItem(`sonde.draft.${sent}`);
  sessionStorage.removeItem('sonde.sent');
}

document.querySelector('form[action="/sign-out"]')?.addEventListener('submit', () => {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith('sonde.draft.')) localStorage.removeItem(name);
  }
});

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (button) copy(button);
});

/** Inserts a token into the guide's samples. It is not sent anywhere. */
document.addEventListener('input', (event) => {
  if (!event.target.matches('[data-token]')) return;
  const token = event.target.value.replaceAll(/[^\w-]/g, '');
  for (const code of document.querySelectorAll('[data-sample]')) {
    code.dataset.text ??= code.textContent;
    code.textContent = code.dataset.text.replace('your token, from the dashboard', token || '$&');
  }
});

// Hidden pages do not poll.
document.addEventListener('htmx:before:request', (event) => {
  if (document.hidden && event.detail?.ctx?.request?.method === 'GET') event.preventDefault();
});

/** Banner that is shown while the service does not answer. */
const banner = document.getElementById('away');

document.addEventListener('htmx:error', () => {
  if (banner) banner.hidden = false;
});

document.addEventListener('htmx:after:request', (event) => {
  const status = event.detail?.ctx?.response?.status;
  if (banner && status) banner.hidden = status < 502;
});

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
