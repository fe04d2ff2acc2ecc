import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { Db } from '../../db/postgres/connect.ts';
import { type MonitorEvent, monitorEvents } from '../../schemas/monitor-event.ts';

const ajv = new Ajv2020({ strict: false });
ajv.addFormat('date-time', true).addFormat('uuid', true);

/** Checks the monitor events in a database against their schemas. There must be some. */
export async function expectEventsMatchSchemas(db: Db): Promise<void> {
  const { rows } = await sql<{ event: string; body: object }>`select event, body from events`.execute(db);
  const events = rows.filter(({ event }) => event in monitorEvents);
  expect(events).not.to.be.empty;
  for (const { event, body } of events) expectMatchesSchema(monitorEvents[event as MonitorEvent], body);
}

export function expectMatchesSchema(schema: AnySchema, body: unknown): void {
  expect(ajv.validate(schema, body), ajv.errorsText()).to.equal(true);
}
