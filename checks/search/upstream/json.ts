import { countValues } from '../../../lists/json-body.ts';
import { ProviderError } from '../serp.ts';

/** Maximum number of values and keys. The largest recorded answers have 20,000 values. */
const valuesMax = 100_000;

/**
 * Checks the number of values, and then parses JSON. Without this check, eight million brackets would block the event
 * loop for a third of a second. Throws `ProviderError` (unreadable).
 */
export function parseJson(text: string, provider: string): unknown {
  if (countValues(Buffer.from(text), valuesMax) > valuesMax)
    throw new ProviderError(provider, 'unreadable', `JSON with more than ${valuesMax} values`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderError(provider, 'unreadable', `not JSON (${text.length} characters)`, { cause });
  }
}
