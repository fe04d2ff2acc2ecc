import { AnnotationAnswer, AnnotationDeleted, AnnotationList, AnnotationRequest } from '../annotation.ts';
import * as examples from './examples.ts';
import { json, type Operation } from './operation.ts';
import { monitorId, paging } from './parameters.ts';

const annotation = {
  annotation_id: 12,
  at: '2026-11-18T00:00:00+00:00',
  text: 'New template for product pages',
  created_at: '2026-11-20T09:41:05+00:00',
};
const replayed = ['Idempotent-Replayed'] as const;
const mayNote = { scope: 'manage', role: 'member', isLiveOnly: true } as const;
const path = '/api/v1/monitors/{monitor_id}/annotations' as const;

export const annotationOperations: Operation[] = [
  {
    id: 'listAnnotations',
    method: 'get',
    path,
    tag: 'Monitors',
    summary: 'List what was noted by hand',
    description: 'The latest moment first, whenever it was written down.',
    parameters: [monitorId, ...paging],
    answers: {
      200: json('A page of annotations.', AnnotationList, { page: examples.listOf(annotation) }, ['Link']),
    },
  },
  {
    id: 'annotateMonitor',
    method: 'post',
    path,
    tag: 'Monitors',
    ...mayNote,
    summary: 'Note something in the charts',
    description:
      'A launch, a new template, an update of Google: what one will want to know when the line turns.',
    parameters: [monitorId],
    body: {
      schema: AnnotationRequest,
      examples: { 'of a day': { at: '2026-11-18', text: annotation.text }, now: { text: annotation.text } },
    },
    answers: {
      201: json('It is noted.', AnnotationAnswer, { noted: { success: true, annotation } }, replayed),
    },
  },
  {
    id: 'deleteAnnotation',
    method: 'delete',
    path: `${path}/{annotation_id}`,
    tag: 'Monitors',
    ...mayNote,
    summary: 'Take a note back',
    description: 'It is gone from every chart.',
    parameters: [
      monitorId,
      {
        in: 'path',
        name: 'annotation_id',
        description: 'As the list names it.',
        schema: { type: 'integer', minimum: 1, examples: [12] },
      },
    ],
    answers: { 200: json('It is gone.', AnnotationDeleted, { deleted: { success: true } }, replayed) },
  },
];
