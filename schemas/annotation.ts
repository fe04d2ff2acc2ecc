import Type from 'typebox';
import { Timestamp, visibleTextPattern, Warnings } from './common.ts';
import { ListSchema } from './list.ts';

export const annotationsMax = 1000;

const Text = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: visibleTextPattern,
  examples: ['New template for product pages'],
});

/** A note about a point in time. The charts of a monitor show it. */
export const Annotation = Type.Object(
  {
    annotation_id: Type.Integer({ minimum: 1 }),
    at: { ...Timestamp, description: 'Time that the note is about' },
    text: Text,
    created_at: Timestamp,
  },
  { $id: 'Annotation' },
);
export type Annotation = Type.Static<typeof Annotation>;

export const AnnotationRequest = Type.Object(
  {
    at: Type.Optional(
      Type.String({
        description: 'ISO 8601 date or time. Without an offset, it is in UTC. Default: now',
        examples: ['2026-11-18'],
      }),
    ),
    text: Text,
  },
  { $id: 'AnnotationRequest' },
);

export const AnnotationResponse = Type.Object(
  { success: Type.Literal(true), annotation: Annotation, warnings: Type.Optional(Warnings) },
  { $id: 'AnnotationResponse' },
);

export const AnnotationDeleteResponse = Type.Object(
  { success: Type.Literal(true) },
  { $id: 'AnnotationDeleteResponse' },
);

export const AnnotationList = ListSchema(Annotation, 'AnnotationList');
