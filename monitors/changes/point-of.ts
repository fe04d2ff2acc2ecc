import type { PointRow } from '../../db/monitors/points.ts';
import { pointFlags } from '../../db/monitors/points.ts';
import type { AnswerOf, CheckType } from '../../schemas/check-types.ts';

/** What is kept of an answer for a chart. */
export type Point = Pick<PointRow, 'value' | 'flags' | 'rivals'>;

const makers: { [T in CheckType]: (answer: AnswerOf<T>) => Partial<Point> } = {
  http: ({ status, is_soft404, soft404_checked, bot_wall }) => ({
    value: status,
    flags:
      (is_soft404 ? pointFlags.soft404 : 0) +
      (soft404_checked ? 0 : pointFlags.unjudged) +
      (bot_wall ? pointFlags.walled : 0),
  }),
  index: ({ is_indexed }) => ({ value: is_indexed ? 1 : 0 }),
  keyword: ({ rank, competitors }) => ({
    value: rank,
    rivals: competitors?.map((competitor) => competitor.rank) ?? null,
  }),
};

/** What is kept of an answer. `isUnconfirmed`: a loss that is to be looked at again. */
export function pointOf<T extends CheckType>(type: T, answer: AnswerOf<T>, isUnconfirmed: boolean): Point {
  const point = { value: null, flags: 0, rivals: null, ...makers[type](answer) };
  return isUnconfirmed ? { ...point, flags: point.flags + pointFlags.unconfirmed } : point;
}

/** Whether an answer is the one before repeated; that one of them was not yet confirmed makes no other of it. */
export function isRepeated(before: Point, now: Point): boolean {
  const known = ~pointFlags.unconfirmed;
  return (
    before.value === now.value &&
    (before.flags & known) === (now.flags & known) &&
    JSON.stringify(before.rivals) === JSON.stringify(now.rivals)
  );
}
