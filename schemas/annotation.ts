import Type from 'typebox';
import { ObjectSchema, Timestamp, visibleTextPattern, Warnings } from './common.ts';
import { ListSchema } from './list.ts';

export const annotationsMax = 1000;

const Text = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: visibleTextPattern,
  examples: ['New template for product pages'],
});

/** A note about a point in time. The charts of a monitor show it. */
export const Annotation = ObjectSchema('Annotation', {
  annotation_id: Type.Integer({ minimum: 1 }),
  at: { ...Timestamp, description: 'Time that the note is about' },
  text: Text,
  created_at: Timestamp,
});
export type Annotation = Type.Static<typeof Annotation>;

export const AnnotationRequest = ObjectSchema('AnnotationRequest', {
  at: Type.Optional(
    Type.String({
      description: 'ISO 8601 date or time. Without an offset, it is in UTC. Default: now',
      examples: ['2026-11-18'],
    }),
  ),
  text: Text,
});

export const AnnotationResponse = ObjectSchema('AnnotationResponse', {
  success: Type.Literal(true),
  annotation: Annotation,
  warnings: Type.Optional(Warnings),
});

export const AnnotationDeleteResponse = ObjectSchema('AnnotationDeleteResponse', {
  success: Type.Literal(true),
});

export const AnnotationList = ListSchema(Annotation, 'AnnotationList');
