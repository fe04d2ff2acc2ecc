import Type from 'typebox';

/** Maximum number of inputs of one request. */
export const batchSizeMax = 2000;

export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-11-20T09:41:05+00:00'] });

/** Pattern of text without U+0000, lone surrogates and control characters. White space is allowed. */
export const textPattern = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f\\ud800-\\udfff]*$';

/** Like `textPattern`, but at least one character is not white space. */
export const visibleTextPattern = `^(?=[\\s\\S]*\\S)${textPattern.slice(1)}`;

export const twoLetters = '^[A-Za-z]{2}$';

/** Pattern of the code of a language, with or without a region. */
export const languagePattern = '^[A-Za-z]{2}(-([A-Za-z]{2}|419))?$';

/** An http or https URL of at most 2,048 characters. Surrounding white space is ignored. */
export const TargetUrl = Type.String({ minLength: 1, examples: ['https://example.com/shoes'] });

/** URL of a webhook receiver. It must be reachable from the internet. */
export const WebhookUrl = Type.String({ minLength: 1, examples: ['https://example.com/hooks/sonde'] });

/** The caller's own label for a batch. All responses about the batch repeat it. */
export const Reference = Type.String({
  maxLength: 255,
  pattern: textPattern,
  examples: ['october-crawl'],
});

/** Sentences about request fields that are unknown or have no effect. */
export const Warnings = Type.Array(Type.String(), {
  maxItems: 23,
  examples: [['webhook is not a field and was ignored. Did you mean webhook_url?']],
});

export const BatchId = Type.String({ format: 'uuid', examples: ['0e0bd036-ac62-4143-9dfa-84aa98ff32d4'] });

export const submissionIdPattern = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';

/** The caller's own id for batches that belong together, such as the parts of a long list. */
export const SubmissionId = Type.String({
  format: 'uuid',
  pattern: submissionIdPattern,
  description: 'Your own id for batches that belong together',
  examples: ['5b1c3f0e-6a0c-4a58-9d8b-3a1f0c7f5d11'],
});

/** Permanent id of a check. */
export const RequestId = Type.Integer({ minimum: 1, examples: [48151] });

export const CreditsRemaining = Type.Integer({ minimum: 0, description: 'The balance after the charge' });

export const Simulated = Type.Optional(
  Type.Literal(true, { description: 'Simulated answer of the sandbox or for a test token' }),
);

export const SentQueries = Type.Optional(
  Type.Array(
    Type.Object({
      query: Type.String({ description: 'As sent to Google' }),
      provider: Type.String({ description: 'The search provider' }),
      results: Type.Integer({ minimum: 0, description: 'Distinct organic results on the pages read' }),
    }),
    { description: 'Queries sent to Google. Only with `include=evidence`' },
  ),
);

/** Schema of an object with a name in the OpenAPI document. */
export function ObjectSchema<P extends Type.TProperties>(name: string, properties: P): Type.TObject<P> {
  return Type.Object(properties, { $id: name });
}

/** Like `ObjectSchema`, with the properties of `bases` and more. */
export function InterfaceSchema<B extends Type.TSchema[], P extends Type.TProperties>(
  name: string,
  bases: [...B],
  properties: P,
): Type.TInterface<B, P> {
  return Type.Interface(bases, properties, { $id: name });
}

/** Schema of a value or null. `description` says when the value is null. */
export function Nullable<T extends Type.TSchema>(
  schema: T,
  description?: string,
): Type.TUnion<[T, Type.TNull]> {
  return Type.Union([schema, Type.Null()], description ? { description } : {});
}

/** Schema of an enum of strings. */
export function StringEnum<const T extends readonly string[]>(
  words: T,
  options: Type.TSchemaOptions = {},
): Type.TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options });
}

export const Dedupe = Type.Boolean({ default: false, description: 'Check and charge equal entries once' });

export const OnInvalid = StringEnum(['reject', 'skip'], {
  default: 'reject',
  description:
    '`reject`: an invalid entry fails the request. `skip`: an invalid entry becomes a failed item and is not charged',
});
