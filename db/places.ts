import type { DB } from './tables.ts';

/**
 * Where a table is when Postgres is a Citus cluster. By account: spread over the data nodes, all rows of an account
 * together. Local: at the coordinator alone; found by what nobody's account is known for yet, or counted over all.
 */
export type TablePlace = 'by account' | 'local';

/** Every table of ours, those that others refer to first. A join or a statement never mixes the two places. */
export const places = {
  accounts: 'by account',
  ledgerEntries: 'by account',
  batches: 'by account',
  chunks: 'by account',
  items: 'by account',
  turns: 'by account',
  idempotencyKeys: 'by account',
  deliveries: 'by account',
  attempts: 'by account',
  history: 'by account',
  resultPages: 'by account',
  allowances: 'by account',
  ledgerMarks: 'by account',
  ledgerFaults: 'by account',
  monitors: 'by account',
  subjects: 'by account',
  monitorRuns: 'by account',
  events: 'by account',
  baselines: 'by account',
  changes: 'by account',
  points: 'by account',
  runTallies: 'by account',
  historyPasses: 'by account',
  annotations: 'by account',
  apiTokens: 'local',
  tokenSpending: 'local',
  reportLinks: 'local',
  users: 'local',
  memberships: 'local',
  invitations: 'local',
  activity: 'local',
  sessions: 'local',
  signInLinks: 'local',
  signInTries: 'local',
  mails: 'local',
  mailLinks: 'local',
  deadAddresses: 'local',
  mailOptOuts: 'local',
  totpFactors: 'local',
  passkeys: 'local',
  recoveryCodes: 'local',
  signInSteps: 'local',
  passkeyChallenges: 'local',
  rateLimits: 'local',
  queues: 'local',
  chores: 'local',
  providerLeases: 'local',
  providerUsage: 'local',
  providerShares: 'local',
  keyCanary: 'local',
} as const satisfies Record<keyof DB, TablePlace>;

/** The names in SQL of the tables of a place, in the order of `places`. */
export function tablesAt(place: TablePlace): string[] {
  return Object.entries(places)
    .filter(([, at]) => at === place)
    .map(([table]) => inSnakeCase(table));
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
