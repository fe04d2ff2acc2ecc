import * as annotations from '../db/monitors/annotations.ts';
import * as monitors from '../db/monitors/monitors.ts';
import { clock } from '../db/postgres/clock.ts';
import type { Trx } from '../db/postgres/connect.ts';
import { annotationsMax } from '../schemas/annotation.ts';
import { annotationNotFound, monitorNotFound, tooManyAnnotations } from './errors.ts';

/** Adds a note to the charts of a monitor. `at` is the time that the note is about; null means the current time. */
export async function addAnnotation(
  trx: Trx,
  ref: monitors.MonitorRef,
  { at, text }: { at: Date | null; text: string },
): Promise<annotations.AnnotationRow> {
  // The lock prevents concurrent requests from exceeding the limit.
  if (!(await monitors.lock(trx, ref))) throw monitorNotFound();
  const existing = await annotations.count(trx, ref, annotationsMax);
  if (existing >= annotationsMax) throw tooManyAnnotations(annotationsMax);
  const now = await clock(trx);
  return annotations.add(trx, ref, { at: at ?? now, text, createdAt: now });
}

export async function removeAnnotation(
  trx: Trx,
  ref: monitors.MonitorRef,
  annotationId: number,
): Promise<void> {
  if (!(await monitors.find(trx, ref))) throw monitorNotFound();
  if (!(await annotations.remove(trx, ref, annotationId))) throw annotationNotFound();
}
