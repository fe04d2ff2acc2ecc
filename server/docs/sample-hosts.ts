/**
 * Documented hosts with simulated answers. `asked` is the type of check; `answer` quotes fields as code.
 */
export const sampleHosts = [
  {
    host: 'status-404.example',
    asked: 'HTTP',
    answer: '`status: 404`. Replace 404 with any status from 200 to 999, except redirects.',
  },
  { host: 'soft404.example', asked: 'HTTP', answer: '`status: 200`, `is_soft404: true`' },
  {
    host: 'redirect-2.example',
    asked: 'HTTP',
    answer: '`status: 200`, `redirect_count: 2`. Replace 2 with any count from 1 to 10.',
  },
  { host: 'redirect-11.example', asked: 'HTTP', answer: '`error: "too_many_redirects"`' },
  { host: 'silent.example', asked: 'HTTP', answer: '`status: 0`, `error: "connect_timeout"`' },
  { host: 'no-such-name.example', asked: 'HTTP', answer: '`status: 0`, `error: "dns_not_found"`' },
  { host: 'blocked.example', asked: 'HTTP', answer: '`status: 403`, `bot_wall: "cloudflare"`' },
  { host: 'noindex.example', asked: 'HTTP', answer: '`status: 200`, `noindex: "meta"`' },
  {
    host: 'unreachable.example',
    asked: 'HTTP',
    answer: '`error: "checker_unreachable"`: the check has no answer',
  },
  { host: 'indexed.example', asked: 'index', answer: '`is_indexed: true`' },
  { host: 'not-indexed.example', asked: 'index', answer: '`is_indexed: false`' },
  {
    host: 'rank-7.example',
    asked: 'rank',
    answer: '`rank: 7`, for any keyword. Replace 7 with any rank from 1 to 100.',
  },
];
