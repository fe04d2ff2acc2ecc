import type { AttestationObject } from '@simplewebauthn/server/helpers';
import type { NewPasskey, Passkey } from '../../../db/accounts/passkeys.ts';

// Three hundred modules, a sixth of what web takes to start, for what few ask for.
const library = () => import('@simplewebauthn/server');
const libraryHelpers = () => import('@simplewebauthn/server/helpers');

/** Where passkeys are for: the host of BASE_URL. */
interface RelyingParty {
  rpID: string;
  origin: string;
}

export function relyingPartyOf(baseUrl: string): RelyingParty {
  const { hostname, origin } = new URL(baseUrl);
  return { rpID: hostname, origin };
}

/** What a browser is asked for a new passkey, with the challenge in it. */
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

/** What a browser is asked of the passkeys that there are. */
export async function authenticationOptions({ rpID }: RelyingParty, known: Passkey[]) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID,
    allowCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    userVerification: 'preferred',
  });
}

/** The passkey that a browser made; null when its answer is not to our challenge, from elsewhere, or unreadable. */
export async function readNewPasskey(
  { rpID, origin }: RelyingParty,
  json: string,
  challenge: string,
): Promise<Pick<NewPasskey, 'credentialId' | 'publicKey' | 'counter'> | null> {
  const [{ verifyRegistrationResponse }, helpers] = await Promise.all([library(), libraryHelpers()]);
  try {
    const response = JSON.parse(json);
    // With certificates the library fetches the lists of revoked ones from whatever URLs they name.
    const attestation = helpers.isoBase64URL.toBuffer(response.response.attestationObject);
    if (hasCertificates(helpers.decodeAttestationObject(attestation))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      // It is a second factor: to have it is enough.
      requireUserVerification: false,
    });
    if (!verified || !registrationInfo) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter };
  } catch {
    return null;
  }
}

/** Attestations without certificates: "none", which is asked for, and "packed" signed by the key itself. */
function hasCertificates(attestation: AttestationObject): boolean {
  const format = attestation.get('fmt');
  const isSelfSigned = format === 'packed' && !attestation.get('attStmt').get('x5c');
  return format !== 'none' && !isSelfSigned;
}

/** Which of the known passkeys answered, and what it counts by now; null when none did. */
export async function readAnswer(
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
