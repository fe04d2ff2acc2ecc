import Type from 'typebox';
import { Timestamp, visibleTextPattern, Warnings } from './common.ts';
import { ListSchema } from './list.ts';

/** Maximum per monitor. */
export const annotationsMax = 1000;

const Text = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: visibleTextPattern,
  examples: ['New template for product pages'],
});

/** A note at a point in time, shown in the charts of a monitor. */
export const Annotation = Type.Object(
  {
    annotation_id: Type.Integer({ minimum: 1 }),
    at: { ...Timestamp, description: 'The time that the note is about' },
    text: Text,
    created_at: Timestamp,
  },
  { $id: 'Annotation' },
);
export type Annotation = Type.Static<typeof Annotation>;

/** POST /monitors/{monitor_id}/annotations. */
export const AnnotationRequest = Type.Object(
  {
    at: Type.Optional(
      Type.String({
        description: 'ISO 8601 date or time, in UTC unless it has an offset; default now',
        examples: ['2026-11-18'],
      }),
    ),
    text: Text,
  },
  { $id: 'AnnotationRequest' },
);

export const AnnotationAnswer = Type.Object(
  { success: Type.Literal(true), annotation: Annotation, warnings: Type.Optional(Warnings) },
  { $id: 'AnnotationAnswer' },
);

/** DELETE /monitors/{monitor_id}/annotations/{annotation_id}. */
export const AnnotationDeleteResponse = Type.Object(
  { success: Type.Literal(true) },
  { $id: 'AnnotationDeleteResponse' },
);

/** GET /monitors/{monitor_id}/annotations. */
export const AnnotationList = ListSchema(Annotation, 'AnnotationList');
