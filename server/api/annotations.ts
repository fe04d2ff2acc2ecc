import type { RequestHandler } from 'express';
import * as annotations from '../../db/monitors/annotations.ts';
import { addAnnotation, removeAnnotation } from '../../monitors/annotations.ts';
import { AnnotationRequest } from '../../schemas/annotation.ts';
import { parseId } from '../../schemas/id.ts';
import { annotationBody } from '../../wire/monitor-bodies.ts';
import type { Context } from '../context.ts';
import { annotationCursor } from '../http/cursors.ts';
import { FieldErrorCollector } from '../http/errors.ts';
import { answerOnce, readIdempotencyKey } from '../http/idempotency.ts';
import { createValidator } from '../http/validate.ts';
import { invalidDateTime, parseDateTime } from './date-times.ts';
import { readPage, sendPage } from './lists.ts';
import { getMonitorRef, requireMonitor } from './monitor-ref.ts';

const readRequest = createValidator(AnnotationRequest);

export function annotationRoutes(context: Context) {
  const { db, config } = context;

  const listAnnotations: RequestHandler = async (req, res) => {
    readPage(req, annotationCursor);
    const monitor = await requireMonitor(db, req);
    await sendPage(config, req, res, {
      cursor: annotationCursor,
      count: (max) => annotations.count(db, monitor, max),
      list: (window) => annotations.list(db, monitor.accountId, [monitor.monitorId], window),
      toBody: annotationBody,
    });
  };

  const annotateMonitor: RequestHandler = async (req, res) => {
    // An invalid Idempotency-Key is reported even if the monitor does not exist.
    readIdempotencyKey(req);
    const monitor = await requireMonitor(db, req);
    const annotation = readAnnotation(req.body);
    await answerOnce(context, req, res, {
      run: (trx) => addAnnotation(trx, monitor, annotation),
      status: 201,
      toBody: (row) => ({ annotation: annotationBody(row) }),
    });
  };

  const deleteAnnotation: RequestHandler = async (req, res) => {
    const ref = getMonitorRef(req);
    const id = parseId(req.params.annotation_id) ?? 0;
    await answerOnce(context, req, res, {
      run: (trx) => removeAnnotation(trx, ref, id),
    });
  };

  return { listAnnotations, annotateMonitor, deleteAnnotation };
}

/** Reads an annotation. Throws a 422 that lists up to 50 invalid fields. */
export function readAnnotation(body: unknown): { at: Date | null; text: string } {
  const faults = new FieldErrorCollector();
  const { at, text = '' } = readRequest.collect(body, faults);
  const moment = at === undefined ? null : parseDateTime(at);
  if (moment === undefined) faults.add({ at: [invalidDateTime] });
  faults.throwIfAny();
  return { at: moment ?? null, text: text.trim() };
}
