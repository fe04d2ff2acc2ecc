import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { OperatorError, settingProblem } from './operator-error.ts';

/**
 * Encrypts what must be readable again, such as webhook secrets: AES-256-GCM, stored as nonce, tag,
 * ciphertext. Hashes what must only be compared.
 */
export interface SecretBox {
  seal(plain: string): Buffer;
  /** Null when it was sealed with a key that is no longer known, or was altered. */
  open(sealed: Buffer): string | null;
  /** The same value sealed with the key of today, where it was sealed with the one before; else null. */
  renew(sealed: Buffer): Buffer | null;
  /** HMAC-SHA-256 of a text that could be guessed from a plain hash. Changes with the key. */
  mac(text: string): Buffer;
  /** Whether there is a key before today's, so that values sealed with it may be left. */
  hasPrevious: boolean;
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * A box whose key is derived from SECRET_KEY, and which still opens what was sealed with the one before. Throws
 * OperatorError when the first is not set.
 */
export function createSecretBox(secretKey: string | null, previousKey: string | null = null): SecretBox {
  if (secretKey === null) {
    const problem = 'is not set: 32 random characters or more';
    throw new OperatorError(settingProblem('SECRET_KEY', problem, '$(openssl rand -hex 32)'));
  }
  const key = deriveKey(secretKey);
  const macKey = Buffer.from(hkdfSync('sha256', secretKey, '', 'sonde keyed hashes', 32));
  const previous = previousKey === null ? null : deriveKey(previousKey);
  const openPrevious = (sealed: Buffer) => (previous ? open(previous, sealed) : null);
  return {
    seal: (plain) => seal(key, plain),
    open: (sealed) => open(key, sealed) ?? openPrevious(sealed),
    renew: (sealed) => {
      const plain = open(key, sealed) === null ? openPrevious(sealed) : null;
      return plain === null ? null : seal(key, plain);
    },
    mac: (text) => createHmac('sha256', macKey).update(text).digest(),
    hasPrevious: previous !== null,
  };
}

function deriveKey(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'sonde webhook secrets', 32));
}

function seal(key: Buffer, plain: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

function open(key: Buffer, sealed: Buffer): string | null {
  if (sealed.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    const text = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
