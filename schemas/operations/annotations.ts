import {
  AnnotationDeleteResponse,
  AnnotationList,
  AnnotationRequest,
  AnnotationResponse,
} from '../annotation.ts';
import { jsonResponse, listResponse, withTag } from './operation.ts';
import { paging } from './parameters.ts';

const annotation = {
  annotation_id: 12,
  at: '2026-11-18T00:00:00+00:00',
  text: 'New template for product pages',
  created_at: '2026-11-20T09:41:05+00:00',
};
const annotationRight = { scope: 'manage', role: 'member', isLiveOnly: true } as const;
const path = '/api/v1/monitors/{monitor_id}/annotations' as const;

export const annotationOperations = withTag('Monitors', [
  {
    id: 'listAnnotations',
    method: 'get',
    path,
    isLiveOnly: true,
    summary: 'List notes',
    description: 'Sorted by `at`, latest first.',
    parameters: [...paging],
    answers: listResponse('A page of notes.', AnnotationList, annotation),
  },
  {
    id: 'annotateMonitor',
    method: 'post',
    path,
    ...annotationRight,
    summary: 'Add a note',
    description: 'Charts show the note. Use it for a launch, a new template or a Google update.',
    body: {
      schema: AnnotationRequest,
      examples: { 'of a day': { at: '2026-11-18', text: annotation.text }, now: { text: annotation.text } },
    },
    answers: jsonResponse(
      'The note.',
      AnnotationResponse,
      { noted: { success: true, annotation } },
      { status: 201 },
    ),
  },
  {
    id: 'deleteAnnotation',
    method: 'delete',
    path: `${path}/{annotation_id}`,
    ...annotationRight,
    summary: 'Delete a note',
    description: 'Removes the note from all charts.',
    answers: jsonResponse('Deleted.', AnnotationDeleteResponse, { deleted: { success: true } }),
  },
]);
