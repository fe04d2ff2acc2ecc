import type { AnnotationRow } from '../db/monitors/annotations.ts';
import type { Annotation } from '../schemas/annotation.ts';
import { timestamp } from './bodies.ts';

export function annotationBody({ annotationId, at, text, createdAt }: AnnotationRow): Annotation {
  return { annotation_id: annotationId, at: timestamp(at), text, created_at: timestamp(createdAt) };
}
