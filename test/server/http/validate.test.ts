import { expect } from 'chai';
import Type from 'typebox';
import { ApiError } from '../../../process/api-error.ts';
import { DigestRequest } from '../../../schemas/digest.ts';
import { KeywordQuery } from '../../../schemas/keyword.ts';
import { MonitorPatch } from '../../../schemas/monitor.ts';
import { urlRequests } from '../../../schemas/url-requests.ts';
import { createEntryValidator, createValidator } from '../../../server/http/validate.ts';

describe('a validator', () => {
  function findFaults(schema: Type.TSchema, body: unknown): unknown {
    try {
      createValidator(schema)(body);
    } catch (error) {
      if (error instanceof ApiError) return error.body.errors;
      throw error;
    }
    return {};
  }

  const checkQuery = createEntryValidator(KeywordQuery);
  const findQueryFaults = (fields: object) =>
    checkQuery({ keyword: 'shoes', url: 'a.example', ...fields }, 'queries.0');

  it('describes an invalid time and an invalid UUID with an example', () => {
    expect(findFaults(DigestRequest, { every: 'day', at: '6:00' })).to.deep.equal({
      at: ['Must be a time from 00:00 to 23:59, such as 06:00.'],
    });
    const urls = ['https://example.com'];
    expect(findFaults(urlRequests.http.bulk, { urls, submission_id: 'october' })).to.deep.equal({
      submission_id: ['Must be a UUID such as 5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11.'],
    });
  });

  it('describes lists that are too long or contain an entry twice', () => {
    expect(findQueryFaults({ include: ['results', 'results'] })).to.deep.equal({
      'queries.0.include': ['Contains the same entry twice.'],
    });
    expect(findQueryFaults({ competitors: Array(30).fill('b.example') })).to.deep.equal({
      'queries.0.competitors': ['Has more than 10 entries.'],
    });
  });

  it('describes text without a visible character', () => {
    expect(findFaults(MonitorPatch, { name: ' ' })).to.deep.equal({
      name: ['Must contain text and no control characters.'],
    });
  });

  it('does not mention null if a field that may be null has another problem', () => {
    expect(findFaults(DigestRequest, { every: 'day', at: 7, timezone: '' })).to.deep.equal({
      at: ['Must be a string.'],
      timezone: ['Is empty.'],
    });
    expect(findFaults(MonitorPatch, { schedule: { every: 'month', on: [] } })).to.deep.equal({
      'schedule.on': ['Is empty. Send at least one entry.'],
    });
    expect(findFaults(MonitorPatch, { schedule: { every: 'month', on: [32] } })).to.deep.equal({
      'schedule.on.0': [
        'Must be a string.',
        'Must be one of sun, mon, tue, wed, thu, fri, sat.',
        'Must be 31 or less.',
      ],
    });
    expect(findFaults(MonitorPatch, { notify: { when: 'monthly' } })).to.deep.equal({
      'notify.when': ['Must be one of changed, always, never.'],
    });
  });

  it('does not show a pattern or the words of a schema', () => {
    const schema = Type.Object({
      code: Type.String({ pattern: '^x+$' }),
      even: Type.Integer({ multipleOf: 2 }),
    });
    expect(findFaults(schema, { code: 'y', even: 1 })).to.deep.equal({
      code: ['Is invalid.'],
      even: ['Is invalid.'],
    });
  });
});
