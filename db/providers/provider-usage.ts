import { sql } from 'kysely';
import type { Db } from '../postgres/connect.ts';

/** Usage of a provider on a day (UTC). After a crash of a process, the last second before the crash may be missing. */
interface ProviderUsage {
  day: string;
  provider: string;
  /** Requests to the provider, successful or not. */
  calls: number;
  /** Paid result pages. */
  pages: number;
  answers: number;
}

/** Returns usage by day and provider since a date, newest first. */
export async function listUsage(db: Db, since: Date): Promise<ProviderUsage[]> {
  const { rows } = await sql<ProviderUsage>`
    select day::text, provider, calls, pages, answers from provider_usage
    where day >= (${since}::timestamptz at time zone 'utc')::date order by day desc, provider`.execute(db);
  return rows;
}

/** Returns the total numbers of paid pages and answered checks by provider. */
export async function sumByProvider(
  db: Db,
): Promise<Pick<ProviderUsage, 'provider' | 'pages' | 'answers'>[]> {
  const { rows } = await sql<Pick<ProviderUsage, 'provider' | 'pages' | 'answers'>>`
    select provider, sum(pages)::bigint as pages, sum(answers)::bigint as answers
    from provider_usage group by provider order by provider`.execute(db);
  return rows;
}

/** Counts a call for today (UTC). If the limit is reached, returns false and counts nothing. */
export async function countDailyCall(db: Db, provider: string, dailyLimit: number): Promise<boolean> {
  const { rows } = await sql`
    insert into provider_usage (provider, day, calls) values (${provider}, (now() at time zone 'utc')::date, 1)
    on conflict (provider, day) do update set calls = provider_usage.calls + 1
    where provider_usage.calls < ${dailyLimit}
    returning calls`.execute(db);
  return rows.length > 0;
}

type AddedUsage = Partial<Pick<ProviderUsage, 'calls' | 'pages' | 'answers'>>;

const writeEveryMs = 1000;

/**
 * Counts the usage of providers by this process. Writes the counts once a second, because writing each search would
 * update the same row each time. Retries failed writes. A process that crashes loses the counts of up to a second.
 */
export class UsageCounter {
  readonly #db: Db;
  #pending = new Map<string, Required<AddedUsage>>();
  #timer: NodeJS.Timeout | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  add(provider: string, { calls = 0, pages = 0, answers = 0 }: AddedUsage): void {
    const added = this.#pending.get(provider) ?? { calls: 0, pages: 0, answers: 0 };
    this.#pending.set(provider, {
      calls: added.calls + calls,
      pages: added.pages + pages,
      answers: added.answers + answers,
    });
    this.#timer ??= setTimeout(() => void this.flush(), writeEveryMs).unref();
  }

  /** Writes pending counts. Call this before the process ends. Never fails. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    const usage = [...this.#pending];
    this.#pending = new Map();
    if (usage.length === 0) return;
    try {
      await this.#write(usage);
    } catch {
      for (const [provider, added] of usage) this.add(provider, added);
    }
  }

  async #write(usage: Array<[string, Required<AddedUsage>]>): Promise<void> {
    const column = (name: keyof AddedUsage) => usage.map(([, added]) => added[name]);
    await sql`
      insert into provider_usage (provider, day, calls, pages, answers)
      select provider, (now() at time zone 'utc')::date, calls, pages, answers
      from unnest(${usage.map(([provider]) => provider)}::text[], ${column('calls')}::bigint[],
        ${column('pages')}::bigint[], ${column('answers')}::bigint[]) as added (provider, calls, pages, answers)
      on conflict (provider, day) do update set calls = provider_usage.calls + excluded.calls,
        pages = provider_usage.pages + excluded.pages, answers = provider_usage.answers + excluded.answers`.execute(
      this.#db,
    );
  }
}
