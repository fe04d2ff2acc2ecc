import type Type from 'typebox';

/** Named schemas, each written once and referred to where it is used. */
export class Components {
  readonly schemas: Record<string, object> = {};

  /** The schema as it stands in the document: a reference if it has a name of its own. */
  refer(schema: Type.TSchema): object {
    const { $id: name, ...rest } = schema as { $id?: string };
    if (name === undefined) return this.#inside(rest);
    if (!this.schemas[name]) {
      this.schemas[name] = {};
      Object.assign(this.schemas[name], this.#inside(rest));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inside(schema: object): object {
    const parts = Object.entries(schema).map(([key, value]) => [key, this.#part(key, value)]);
    return Object.fromEntries(parts);
  }

  #part(keyword: string, value: unknown): unknown {
    if (value === null || typeof value !== 'object' || !holdsSchemas.has(keyword)) return value;
    if (Array.isArray(value)) return value.map((part) => this.refer(part));
    if (keyword === 'items' || keyword === 'additionalProperties') return this.refer(value as Type.TSchema);
    return this.#members(value);
  }

  #members(members: object): object {
    return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, this.refer(schema)]));
  }
}

const holdsSchemas = new Set([
  'properties',
  'patternProperties',
  'items',
  'additionalProperties',
  'anyOf',
  'allOf',
  'oneOf',
]);
