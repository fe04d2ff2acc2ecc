import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { parseUuid } from '../../schemas/uuid.ts';

describe('an id of a batch, a monitor, a run or a submission', () => {
  it('is read in the case that Postgres writes', () => {
    const id = randomUUID();
    expect(parseUuid(id)).to.equal(id);
    expect(parseUuid(id.toUpperCase())).to.equal(id);
  });

  it('is nothing that Postgres would refuse, or that stands beside one', () => {
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
