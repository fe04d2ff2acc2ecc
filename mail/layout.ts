import type { MailMessage } from './smtp.ts';
import type { MailContent, MailPart } from './template.ts';

type Table = { head: string[]; rows: string[][] };

interface Footer {
  baseUrl: string;
  /** Null for mails that the user requested or must get. */
  unsubscribeUrl: string | null;
}

/** Creates a message with text, HTML and the headers of automatic mails (RFC 3834). */
export function createMessage(content: MailContent, footer: Footer, messageId: string): MailMessage {
  return {
    to: content.to,
    subject: content.subject,
    text: toText(content, footer),
    html: toHtml(content, footer),
    messageId,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

export function toText({ parts }: MailContent, { baseUrl, unsubscribeUrl }: Footer): string {
  const lines = parts.map(partToText);
  const end = unsubscribeUrl ? `\nUnsubscribe: ${unsubscribeUrl}` : '';
  return `${[...lines, `-- \nSonde, ${baseUrl}${end}`].join('\n\n')}\n`;
}

function partToText(part: MailPart): string {
  if ('text' in part) return part.text;
  if ('small' in part) return part.small;
  if ('button' in part) return `${part.button.label}:\n${part.button.url}`;
  if ('facts' in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  if ('table' in part) return tableToText(part.table);
  return part.list.map(({ text, url }) => `- ${text}${url ? `\n  ${url}` : ''}`).join('\n');
}

/** Columns would not be aligned in a proportional font. So each row becomes an entry of a list. */
function tableToText({ head, rows }: Table): string {
  const toEntry = ([first = '', ...cells]: string[]) => {
    const named = cells.flatMap((cell, place) => (cell === '' ? [] : `${head[place + 1]}: ${cell}`));
    return `- ${first}\n  ${named.join(', ')}`;
  };
  return rows.map(toEntry).join('\n');
}

/** Returns HTML in the style of the dashboard. The HTML loads no image, font or style sheet. */
export function toHtml(content: MailContent, { baseUrl, unsubscribeUrl }: Footer): string {
  const end = unsubscribeUrl
    ? ` · <a class="m" style="${muted}" href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a>`
    : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title><style>${dark}</style></head>
<body class="b" style="margin:0;padding:0;background:#f7f8fa;color:#1f2733;font:16px/1.5 ${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 4px 12px;font-weight:700;font-size:18px">Sonde</td></tr>
<tr><td class="c" style="background:#ffffff;border:1px solid #e2e6ee;border-radius:8px;padding:24px">
<h1 class="h" style="margin:0 0 16px;font-size:21px;line-height:1.3;color:#121826">${escapeHtml(content.subject)}</h1>
${content.parts.map((part) => partToHtml(part, baseUrl)).join('\n')}
</td></tr>
<tr><td class="m" style="${muted};padding:12px 4px;font-size:13px"><a class="m" style="${muted}" href="${escapeHtml(baseUrl)}">${escapeHtml(
    baseUrl,
  )}</a>${end}</td></tr>
</table></td></tr></table></body></html>
`;
}

const font = `system-ui,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',sans-serif`;
const muted = 'color:#586174';
const dark = `@media (prefers-color-scheme:dark){.b{background:#0f131a!important;color:#d5dae4!important}
.c{background:#161b24!important;border-color:#2a3240!important}.h{color:#f2f4f8!important}.m{color:#98a2b5!important}
.l{color:#8fb0ff!important}.k{background:#4a6fe8!important}}`;

function partToHtml(part: MailPart, baseUrl: string): string {
  if ('text' in part) return `<p style="margin:0 0 16px">${linkOwnUrls(part.text, baseUrl)}</p>`;
  if ('small' in part)
    return `<p class="m" style="${muted};margin:0 0 12px;font-size:14px">${linkOwnUrls(part.small, baseUrl)}</p>`;
  if ('button' in part) return buttonToHtml(part.button);
  if ('facts' in part) return factsToHtml(part.facts);
  if ('table' in part) return tableToHtml(part.table);
  const items = part.list.map(({ text, url }) => {
    const safe = escapeHtml(text);
    return `<li style="margin:0 0 6px">${url ? `<a class="l" style="color:#2b4fcb" href="${escapeHtml(url)}">${safe}</a>` : safe}</li>`;
  });
  return `<ul style="margin:0 0 16px;padding-left:20px">${items.join('')}</ul>`;
}

/** Escapes a text. Only URLs below `baseUrl` become links, because a stranger may have written other URLs. */
function linkOwnUrls(text: string, baseUrl: string): string {
  const pieces = text.split(/(https?:\/\/[^\s,]*[^\s,.])/);
  return pieces
    .map((piece) => {
      const safe = escapeHtml(piece);
      const isOurs = piece === baseUrl || piece.startsWith(`${baseUrl}/`);
      return isOurs ? `<a class="l" style="color:#2b4fcb" href="${safe}">${safe}</a>` : safe;
    })
    .join('');
}

/** The URL also stands below the button, because some email programs show no buttons. */
function buttonToHtml({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url);
  return `<p style="margin:0 0 12px"><a class="k" href="${address}" style="display:inline-block;background:#3056d3;color:#ffffff;
text-decoration:none;font-weight:600;padding:10px 18px;border-radius:8px">${escapeHtml(label)}</a></p>
<p class="m" style="${muted};margin:0 0 16px;font-size:13px;word-break:break-all">${address}</p>`;
}

function factsToHtml(facts: Array<[string, string]>): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td class="m" style="${muted};padding:2px 16px 2px 0;vertical-align:top;white-space:nowrap">${escapeHtml(name)}</td>` +
      `<td style="padding:2px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${rows.join('')}</table>`;
}

function tableToHtml({ head, rows }: Table): string {
  const toRow = (tag: 'th' | 'td', cells: string[]) =>
    `<tr>${cells.map((cell) => toCell(tag, cell)).join('')}</tr>`;
  const all = [toRow('th', head), ...rows.map((cells) => toRow('td', cells))];
  return `<table cellpadding="0" cellspacing="0" style="margin:0 0 16px">${all.join('\n')}</table>`;
}

function toCell(tag: 'th' | 'td', text: string): string {
  // Only long words are broken, so that columns of numbers keep their width.
  const wrap = /\S{11}/.test(text) ? ';word-break:break-word' : '';
  const style = `padding:4px 12px 4px 0;font-size:14px;vertical-align:top${wrap}`;
  return `<${tag} align="left" style="${style}">${escapeHtml(text)}</${tag}>`;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
