import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** What was asked of a provider on a day (UTC). */
export interface ProviderUsage {
  day: string;
  provider: string;
  calls: number;
  /** Pages of results that were paid for. */
  pages: number;
  /** Checks answered; the last second of a process that dies is not among them. */
  answers: number;
}

/** Days and providers since a date, newest first. */
export async function usage(db: Db, since: Date): Promise<ProviderUsage[]> {
  const { rows } = await sql<ProviderUsage>`
    select day::text, provider, calls, pages, answers from provider_usage
    where day >= (${since}::timestamptz at time zone 'utc')::date order by day desc, provider`.execute(db);
  return rows;
}

/** All that was ever paid and answered, by provider. */
export async function providerTotals(
  db: Db,
): Promise<Pick<ProviderUsage, 'provider' | 'pages' | 'answers'>[]> {
  const { rows } = await sql<Pick<ProviderUsage, 'provider' | 'pages' | 'answers'>>`
    select provider, sum(pages)::bigint as pages, sum(answers)::bigint as answers
    from provider_usage group by provider order by provider`.execute(db);
  return rows;
}

const addEveryMs = 1000;

/**
 * Answers by provider, told to the database at most once a second: a statement for each would be one more per
 * check.
 */
export class AnswerCount {
  readonly #db: Db;
  readonly #untold = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  add(provider: string): void {
    this.#untold.set(provider, (this.#untold.get(provider) ?? 0) + 1);
    this.#timer ??= setTimeout(() => void this.#tell(), addEveryMs).unref();
  }

  async #tell(): Promise<void> {
    this.#timer = null;
    const told = [...this.#untold];
    this.#untold.clear();
    for (const [provider, answers] of told) {
      await sql`
        insert into provider_usage (provider, day, calls, answers)
        values (${provider}, (now() at time zone 'utc')::date, 0, ${answers})
        on conflict (provider, day) do update set answers = provider_usage.answers + excluded.answers`
        .execute(this.#db)
        // A figure for the operator, not worth a failure.
        .catch(() => {});
    }
  }
}
