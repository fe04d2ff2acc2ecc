import { expect } from 'chai';
import { isAcceptablePassword } from '../../accounts/password.ts';
import { words } from '../support/words.ts';

describe('a password', () => {
  const email = 'ada.lovelace@analytical.example';
  const accepted = (password: string) => isAcceptablePassword(password, email);

  it('has 10 to 200 characters', () => {
    for (const password of ['', '12345678', 'xk4v8qzrt', 'plum '.repeat(41)])
      expect(accepted(password), password).to.equal(false);
    for (const password of ['xk4v8qzrtw', 'plum cactus '.repeat(16)])
      expect(accepted(password), password).to.equal(true);
  });

  it('may be a phrase, in any script', () => {
    const phrases = ['correct horse', 'tall green river boat', 'Größere Äpfel fallen', 'снежный барс спит'];
    for (const password of [...phrases, '山の上の静かな湖で魚が'])
      expect(accepted(password), password).to.equal(true);
  });

  it('is not a common one, in any case and with any digits and signs around it', () => {
    const common = words(`
      password123 Password2024! $unshine2024 PASSWORD-PASSWORD p4$$w0rd!!! mypassword1 !!password!!
      qwertyuiop 1234567890 qwerty123456 1qaz2wsx3edc q1w2e3r4t5 0987654321 abcdefghij1
      iloveyou2024 welcome12345 Admin@123456 letmein1234 football2023 Summer2026!!
      aaaaaaaaaaaa 1212121212 ababababab`);
    for (const password of common) expect(accepted(password), password).to.equal(false);
  });

  it('does not consist of the email address', () => {
    for (const password of [email, 'ada.lovelace', 'AdaLovelace1815', 'lovelace-ada-1', 'analytical2026'])
      expect(accepted(password), password).to.equal(false);
    expect(isAcceptablePassword('AdaLovelace1815', 'grace@example.com')).to.equal(true);
  });
});
