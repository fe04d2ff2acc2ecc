import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { OperatorError, settingProblem } from './operator-error.ts';

/**
 * Encrypts what must be readable again, such as webhook secrets: AES-256-GCM, stored as nonce, tag,
 * ciphertext.
 */
export interface SecretBox {
  seal(plain: string): Buffer;
  /** Throws when the value was sealed with another key or was altered. */
  open(sealed: Buffer): string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** A box whose key is derived from SECRET_KEY; throws OperatorError when that is not set. */
export function createSecretBox(secretKey: string | null): SecretBox {
  if (secretKey === null) {
    const problem = 'is not set: 32 random characters or more';
    throw new OperatorError(settingProblem('SECRET_KEY', problem, '$(openssl rand -hex 32)'));
  }
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'sonde webhook secrets', 32));
  return {
    seal: (plain) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    open: (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes));
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = sealed.subarray(nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}
