import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { operations } from '../../schemas/openapi.ts';

describe('the schemas of requests', () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  const bodies = operations.flatMap(({ id, body }) =>
    body ? [{ id, schema: body.schema as AnySchema }] : [],
  );

  it('are valid JSON schemas, because the service does not validate them', () => {
    expect(bodies.length).to.be.greaterThan(10);
    const broken = bodies.filter(({ schema }) => !ajv.validateSchema(schema)).map(({ id }) => id);
    expect(broken).to.deep.equal([]);
    expect(ajv.validateSchema({ type: 'text' })).to.equal(false);
  });
});
