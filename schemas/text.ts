import Type from 'typebox';

/** The most inputs one request may carry. */
export const batchSizeMax = 2000;

/** A moment as the API writes it, such as `2026-11-20T09:41:05+00:00`. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-20T09:41:05+00:00'] });

/**
 * Text that every part of the service can hold: no U+0000, no lone surrogate, no control character but white
 * space.
 */
export const textPattern = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f\\ud800-\\udfff]*$';

/** The same, with at least one character that is no white space. */
export const visibleTextPattern = `^(?=[\\s\\S]*\\S)${textPattern.slice(1)}`;

/** A country or a language as a code. */
export const twoLetters = '^[A-Za-z]{2}$';

/**
 * A target's address: http or https with a host, at most 2,048 characters; white space around it is ignored.
 */
export const TargetUrl = Type.String({ minLength: 1, examples: ['https://example.com/shoes'] });

/** Where the completion of a batch is reported; must be reachable from the internet. */
export const WebhookUrl = Type.String({ minLength: 1, examples: ['https://example.com/hooks/sonde'] });

/** The caller's own name for a batch, repeated wherever the batch appears. */
export const Reference = Type.String({
  maxLength: 255,
  pattern: textPattern,
  examples: ['october-crawl'],
});

/** What was not understood or not used, in a sentence each; missing when there is nothing to say. */
export const Warnings = Type.Array(Type.String(), {
  maxItems: 23,
  examples: [['webhook is not a field; did you mean webhook_url?']],
});

/** The id of a batch, by which it is polled. */
export const BatchId = Type.String({ format: 'uuid', examples: ['0e0bd036-ac62-4143-9dfa-84aa98ff32d4'] });

/** The caller's own id for batches that belong together, as those of one long list. */
export const SubmissionId = Type.String({
  format: 'uuid',
  pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
  description: 'Your own id for batches that belong together; the same for all of them',
  examples: ['5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11'],
});

/** Names a check for good, wherever its answer appears. */
export const RequestId = Type.Integer({ minimum: 1, examples: [48151] });

/** The balance after the charge. */
export const CreditsRemaining = Type.Integer({ minimum: 0, description: 'The balance after the charge' });

/** Stands only in answers of the sandbox, which invents them. */
export const Simulated = Type.Optional(
  Type.Literal(true, { description: 'Invented, by the sandbox or for a test token' }),
);

/** The queries of a search and how many results they showed; `include=evidence` brings it. */
export const Asked = Type.Optional(
  Type.Array(
    Type.Object({
      query: Type.String({ description: 'As Google was asked' }),
      provider: Type.String({ description: 'Who asked it for us' }),
      results: Type.Integer({ minimum: 0, description: 'Different organic results on the pages read' }),
    }),
    { description: 'With `include=evidence` only: what was asked to find it' },
  ),
);

/** A value or null; `description` says what null means. */
export function Nullable<T extends Type.TSchema>(
  schema: T,
  description?: string,
): Type.TUnion<[T, Type.TNull]> {
  return Type.Union([schema, Type.Null()], description ? { description } : {});
}

/** One of a closed set of words. */
export function Word<const T extends readonly string[]>(
  words: T,
  options: Type.TSchemaOptions = {},
): Type.TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options });
}

/** Of equal entries of a list only the first is checked and charged. */
export const Dedupe = Type.Boolean({ default: false, description: 'Check and charge equal entries once' });

/** Whether an entry that does not fit refuses the whole list, or keeps its place as failed, uncharged. */
export const OnInvalid = Word(['reject', 'skip'], {
  default: 'reject',
  description:
    '`skip`: entries that do not fit keep their place as failed, uncharged; else they refuse the request',
});
