import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { formatSettingError, OperatorError } from './operator-error.ts';

/**
 * Encrypts values that must be decrypted later, such as webhook secrets, with AES-256-GCM. A sealed value consists of
 * nonce, tag and ciphertext. Also computes keyed hashes.
 */
export interface SecretBox {
  seal(plain: string): Buffer;
  /** Returns null if the value was sealed with an unknown key or was altered. */
  open(sealed: Buffer): string | null;
  /** Seals a value again with the current key if the value was sealed with the previous key. Otherwise returns null. */
  renew(sealed: Buffer): Buffer | null;
  /**
   * Returns an HMAC-SHA-256 with the current key. Use it for a short text, which could be guessed from a plain hash.
   */
  mac(text: string): Buffer;
  /** True if a previous key is set. Some stored values may still be sealed with that key. */
  hasPrevious: boolean;
}

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Derives the current and the previous key from SECRET_KEY and SECRET_KEY_PREVIOUS. Throws OperatorError if SECRET_KEY
 * is not set.
 */
export function createSecretBox(secretKey: string | null, previousKey: string | null = null): SecretBox {
  if (secretKey === null) {
    const problem = 'is not set. Use at least 32 random characters';
    throw new OperatorError(formatSettingError('SECRET_KEY', problem, '$(openssl rand -hex 32)'));
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
