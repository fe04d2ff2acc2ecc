import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import * as sessions from '../../../../db/accounts/sessions.ts';
import * as users from '../../../../db/accounts/users.ts';
import { afterTest } from '../../../support/after-test.ts';
import { alertIn, FormClient, openAs, visit } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';
import { freePort } from '../../../support/free-port.ts';
import { useService } from '../../../support/service.ts';
import { serve } from '../../../support/web.ts';

describe('passkeys', () => {
  let url: string;
  const service = useService(async () => {
    const port = await freePort();
    url = `http://localhost:${port}`;
    return { PORT: String(port), BASE_URL: url };
  });

  it('are added and used in a browser; a replayed or invalid assertion is rejected', async function () {
    const account = await service.account(0);
    const { accountId } = account;
    // The user has no password, because hashing is slow.
    const person = { accountId, email: 'key@example.com', passwordHash: null };
    const userId = await users.create(service.db, person);
    const window = await openAs(this, { db: service.db, baseUrl: url }, account);
    const { context, page, complaints } = window;
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/settings/second-factor');
    await page.getByText('Add a passkey…').click();
    await page.getByLabel('Name').fill('Laptop');
    // The page may load before its script. Until then the button is disabled.
    const script = Promise.withResolvers<void>();
    await page.route('**/passkeys.js', async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Add passkey' }).click({ noWaitAfter: true });
    const goOn = page.getByRole('button', { name: 'Continue' });
    await goOn.waitFor();
    expect(await goOn.isDisabled()).to.equal(true);
    script.resolve();
    await goOn.click();
    await page.getByText('Your recovery codes').waitFor();
    expect(await page.locator('#codes ~ ul li').count()).to.equal(10);

    await context.clearCookies();
    const key = await sessions.createLink(service.db, userId);
    await page.goto(`/start?key=${key}`);
    const sending = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Use passkey' }).click();
    const sent = new URLSearchParams((await sending).postData() ?? '').get('credential') ?? '';
    await page.waitForURL(`${url}/`);
    expect(complaints).to.deep.equal([]);

    // Once its use is recorded, an assertion is rejected when replayed. Invalid assertions are rejected, too.
    const answered = await eventually(async () => {
      const { rows } = await sql<{
        used: Date | null;
      }>`select last_used_at as used from passkeys where user_id = ${userId}`.execute(service.db);
      return rows[0]?.used ?? null;
    });
    expect(answered).to.be.instanceOf(Date);
    const thief = new FormClient(service.baseUrl);
    const arrived = await thief.get(`/start?key=${await sessions.createLink(service.db, userId)}`);
    expect(arrived.location).to.equal('/sign-in/second');
    expect(JSON.parse(sent)).to.have.nested.property('response.signature');
    for (const credential of [sent, '{}', 'no json', '{"id":"AAAA","response":{}}'])
      expect((await thief.post('/sign-in/second', { credential })).status).to.equal(401);
  });

  it('are rejected with a certificate, without a connection to its URLs', async () => {
    const client = await visit(service, await service.account(0));
    let connections = 0;
    const site = await serve((_req, res) => {
      connections += 1;
      res.end();
    });
    afterTest(() => site.close());
    const from = '/settings/second-factor';
    const begun = await client.post(`${from}/passkey`);
    const challenge = /challenge(?:&quot;|"):(?:&quot;|")([\w-]+)/.exec(begun.text)?.[1] ?? '';
    const credential = await certifiedPasskey(challenge, url, `${site.url}/crl`);
    const refused = await client.post(`${from}/passkey/confirm`, { credential });
    expect(alertIn(refused.text)).to.equal('The passkey could not be added. Try again.');
    expect(connections).to.equal(0);
  });
});

/** Creates a passkey with a forged Android key certificate, which names a revocation list. */
async function certifiedPasskey(challenge: string, origin: string, revokedUrl: string): Promise<string> {
  // This import comes first, because it loads a module that the other import needs.
  const { isoCBOR } = await import('@simplewebauthn/server/helpers');
  const x509 = await import('@peculiar/x509');
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const [rootKeys, keys] = await Promise.all(
    [1, 2].map(() => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])),
  );
  if (!rootKeys || !keys) throw new Error('no keys');
  const issuer = 'CN=Root';
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: issuer,
    signingAlgorithm: algorithm,
    keys: rootKeys,
    extensions: [new x509.BasicConstraintsExtension(true, 2, true)],
  });
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin }));
  // DER, with the hash of the client data where Android puts the challenge.
  const keyDescription = Buffer.concat([
    Buffer.from('30340201030a01000201040a01000420', 'hex'),
    sha256(clientData),
    Buffer.from('040030003000', 'hex'),
  ]);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=Leaf',
    issuer,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.Extension('1.3.6.1.4.1.11129.2.1.17', false, keyDescription),
      new x509.CRLDistributionPointsExtension([revokedUrl]),
    ],
  });
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', keys.publicKey);
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64url'));
  const publicKey = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]);
  const id = randomBytes(16);
  const authData = Buffer.concat([
    sha256(new URL(origin).hostname),
    Buffer.from([0x41, 0, 0, 0, 0]),
    randomBytes(16),
    Buffer.from([0, id.length]),
    id,
    isoCBOR.encode(publicKey),
  ]);
  const statement = new Map<string, number | Uint8Array | Uint8Array[]>([
    ['alg', -7],
    ['sig', new Uint8Array(randomBytes(70))],
    ['x5c', [new Uint8Array(certificate.rawData), new Uint8Array(root.rawData)]],
  ]);
  const attestation = isoCBOR.encode(
    new Map<string, string | Uint8Array | typeof statement>([
      ['fmt', 'android-key'],
      ['attStmt', statement],
      ['authData', new Uint8Array(authData)],
    ]),
  );
  return JSON.stringify({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
    },
  });
}
