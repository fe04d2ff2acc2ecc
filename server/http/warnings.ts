import type { Request } from 'express';
import { getOperation } from './permit.ts';

const warningsMax = 20;
const nameLengthMax = 64;

/**
 * Returns a sentence for each unknown field of the body, at most 20. The sentence suggests a similar field. Unknown
 * fields are not errors, so that clients can send fields of later versions.
 */
export function unknownFieldWarnings(req: Request): string[] {
  const { body } = getOperation(req);
  const sentences: string[] = [];
  if (!body || !req.body) return sentences;
  for (const sentence of describeUnknown(body.schema as ObjectSchema, req.body, '')) {
    if (sentences.length === warningsMax) {
      sentences[warningsMax - 1] = 'Further unknown fields are not listed.';
      break;
    }
    sentences.push(sentence);
  }
  return sentences;
}

/** Returns warnings about unknown query parameters, as a field of the response. Returns {} if all are known. */
export function unknownParameterWarnings(req: Request): { warnings?: string[] } {
  const { parameters = [] } = getOperation(req);
  const known = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const unknown = Object.keys(req.query).filter((name) => !known.includes(name));
  const warnings = unknown.slice(0, warningsMax).map((name) => describe(name, known, '', 'parameter'));
  return warnings.length > 0 ? { warnings } : {};
}

interface ObjectSchema {
  properties: Record<string, { items?: Partial<ObjectSchema> }>;
}

function* describeUnknown({ properties }: ObjectSchema, body: object, path: string): Generator<string> {
  for (const [name, value] of Object.entries(body)) {
    if (!Object.hasOwn(properties, name)) {
      yield describe(name, Object.keys(properties), path);
      continue;
    }
    const entry = properties[name]?.items;
    if (!entry?.properties || !Array.isArray(value)) continue;
    for (const [index, each] of value.entries()) {
      if (typeof each === 'object' && each !== null)
        yield* describeUnknown(entry as ObjectSchema, each, `${path}${name}.${index}.`);
    }
  }
}

function describe(name: string, fields: string[], path: string, kind = 'field'): string {
  const shown = name.length > nameLengthMax ? `${name.slice(0, nameLengthMax).toWellFormed()}…` : name;
  const meant = name.length > nameLengthMax ? undefined : nearest(name, fields);
  return `${path}${shown} is not a ${kind} and was ignored.${meant ? ` Did you mean ${path}${meant}?` : ''}`;
}

/**
 * Finds the field that is most similar to a name. Field and name must differ by at most two letters, or one of them
 * must begin with the other. Ignores case and `_`.
 */
function nearest(name: string, fields: string[]): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const sought = letters(name);
  const near = fields
    .map((field) => ({ field, distance: getDistance(sought, letters(field)) }))
    .filter(({ distance }) => distance <= 2 && distance < sought.length)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.field;
}

function getDistance(a: string, b: string): number {
  const isBeginning = Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a));
  return isBeginning ? Math.min(1, Math.abs(a.length - b.length)) : levenshtein(a, b);
}

function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column++) {
      const [above = 0, aside = 0, diagonal = 0] = [row[column], next[column - 1], row[column - 1]];
      next.push(Math.min(above + 1, aside + 1, diagonal + Number(b[column - 1] !== letter)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
