const token = process.env.SONDE_TOKEN;

async function sonde(path, body) {
  const response = await fetch(new URL(path, 'http://localhost:3000/api/v1/'), {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

// One index check, answered while you wait.
const check = await sonde('check', { url: 'https://example.com/' });
console.log(check.url, check.is_indexed ? 'is in Google' : 'is not in Google');

// Many at once: a batch in the background. Poll until it ends, for half an hour at most.
const urls = ['https://example.com/', 'https://example.com/missing'];
const { poll_url } = await sonde('http-status/bulk', { urls });
let batch;
for (let tries = 0; tries < 90 && !batch?.completed_at; tries++) batch = await sonde(`${poll_url}?wait=20`);
for (const result of batch.results ?? []) console.log(result.url, result.error ?? result.status);
