import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { parseUuid } from '../../schemas/uuid.ts';

describe('the id of a batch, a monitor, a run or a submission', () => {
  it('is normalized to the case that Postgres writes', () => {
    const id = randomUUID();
    expect(parseUuid(id)).to.equal(id);
    expect(parseUuid(id.toUpperCase())).to.equal(id);
  });

  it('is null for all text that Postgres would reject, or that has more than the id', () => {
    const id = randomUUID();
    for (const text of [
      undefined,
      null,
      7,
      '',
      'none',
      `${id} `,
      ` ${id}`,
      `${id}\n`,
      id.replaceAll('-', ''),
      [id, id],
    ])
      expect(parseUuid(text), String(text)).to.equal(null);
  });
});
