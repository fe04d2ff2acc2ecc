import type { AttestationObject } from '@simplewebauthn/server/helpers';
import type { NewPasskey, Passkey } from '../../../db/accounts/passkeys.ts';

// Loaded when first needed. The 300 modules take a sixth of the process's start time. Few users need them.
const library = () => import('@simplewebauthn/server');
const libraryHelpers = () => import('@simplewebauthn/server/helpers');

/** Our host, as the relying party (WebAuthn, section 4). */
interface RelyingParty {
  rpID: string;
  origin: string;
}

export function toRelyingParty(baseUrl: string): RelyingParty {
  const { hostname, origin } = new URL(baseUrl);
  return { rpID: hostname, origin };
}

/** Returns options for `navigator.credentials.create`, with a new challenge. */
export async function registrationOptions(
  { rpID }: RelyingParty,
  user: { userId: number; email: string },
  known: Passkey[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Sonde',
    rpID,
    userName: user.email,
    userID: new TextEncoder().encode(`sonde ${user.userId}`),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Returns options for `navigator.credentials.get`, with the user's passkeys and a new challenge. */
export async function authenticationOptions({ rpID }: RelyingParty, known: Passkey[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID,
    allowCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    userVerification: 'preferred',
  });
}

/** Verifies a new passkey. Returns null if the response is invalid, or belongs to another challenge or origin. */
export async function verifyNewPasskey(
  { rpID, origin }: RelyingParty,
  json: string,
  challenge: string,
): Promise<Pick<NewPasskey, 'credentialId' | 'publicKey' | 'counter'> | null> {
  const [{ verifyRegistrationResponse }, helpers] = await Promise.all([library(), libraryHelpers()]);
  try {
    const response = JSON.parse(json);
    // Certificates are rejected, because the library would fetch revocation lists from URLs in them.
    const attestation = helpers.isoBase64URL.toBuffer(response.response.attestationObject);
    if (hasCertificates(helpers.decodeAttestationObject(attestation))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      // For a second factor, possession of the passkey is enough.
      requireUserVerification: false,
    });
    if (!verified || !registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter };
  } catch {
    return null;
  }
}

/** Two formats have no certificates: "none", which we request, and "packed" if the passkey itself has signed it. */
function hasCertificates(attestation: AttestationObject): boolean {
  const format = attestation.get('fmt');
  const isSelfSigned = format === 'packed' && !attestation.get('attStmt').get('x5c');
  return format !== 'none' && !isSelfSigned;
}

/** Verifies a passkey's response to the challenge. Returns its id and new counter; null if the response is invalid. */
export async function verifyPasskey(
  { rpID, origin }: RelyingParty,
  json: string,
  challenge: string,
  known: Passkey[],
): Promise<{ passkeyId: number; counter: number } | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const response = JSON.parse(json);
    const passkey = known.find(({ credentialId }) => credentialId.toString('base64url') === response.id);
    if (!passkey) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    });
    return verified ? { passkeyId: passkey.passkeyId, counter: authenticationInfo.newCounter } : null;
  } catch {
    return null;
  }
}
