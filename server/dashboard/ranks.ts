import type { RequestHandler } from 'express';
import * as rankSeries from '../../db/rank-series.ts';
import { notFound } from '../http/errors.ts';
import { chartSizes, rankChart } from './charts.ts';
import type { DashboardContext } from './context.ts';
import { pageOf, pagerOf, textOf } from './paging.ts';
import { showPage } from './render.ts';
import { sessionOf } from './visitors.ts';

const perPage = 50;
const pointsMax = 200;

/** Ranks over time, of queries that were checked more than once. */
export function rankPages(context: DashboardContext) {
  const { db } = context;

  const show: RequestHandler = async (req, res) => {
    const { accountId } = sessionOf(req);
    const search = textOf(req, 'q');
    const page = pageOf(req);
    const window = { limit: perPage, offset: (page - 1) * perPage };
    const { rows: all, total } = await rankSeries.list(db, accountId, { search, ...window });
    const pager = pagerOf(req, { page, perPage, shown: all.length, total });
    const chosen = textOf(req, 'series') || (all[0]?.series ?? '');
    const data = { all, pager, search, chosen, line: chosen ? await lineOf(accountId, chosen) : null };
    await showPage(context, req, res, { view: 'ranks', title: 'Ranks', data });
  };

  async function lineOf(accountId: number, series: string) {
    const { input, points } = /^[0-9a-f]{64}$/.test(series)
      ? await rankSeries.points(db, accountId, series, pointsMax)
      : { input: null, points: [] };
    if (!input) throw notFound('There is no such query in your account.');
    const ranked = points.flatMap(({ rank }) => rank ?? []);
    return {
      input,
      points,
      charts: chartSizes.map(({ name, width }) => ({ name, ...rankChart(points, width) })),
      now: points.at(-1)?.rank ?? null,
      best: ranked.length > 0 ? Math.min(...ranked) : null,
    };
  }

  return { show };
}
