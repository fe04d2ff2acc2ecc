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

/** Functions that read and write rows of the account that they are given, and nothing at the coordinator. */
export const functionsByAccount = [
  'record_outcomes',
  'queue_chunks',
  'move_credits',
  'begin_single_check',
  'begin_test_check',
  'answer_single_check',
];

const namesByAccount = new RegExp(
  `\\b(?:from|join|into|update|using)\\s+(?:only\\s+)?"?(?:${tablesAt('by account').join('|')})\\b|` +
    `\\b(?:${functionsByAccount.join('|')})\\b`,
  'i',
);
const readsOrWrites = /^\s*(?:select|insert|update|delete|with)\b/i;
const insertsAccount = /^\s*insert\s+into\s+"?accounts\b/i;

/**
 * Where a statement of ours finds what it is about. One that changes the schema, or is about no table, is for the
 * coordinator; and one that makes an account, whose numbers are counted there.
 */
export function placeOf(statement: string): TablePlace {
  if (!readsOrWrites.test(statement) || makesAccount(statement)) return 'local';
  return namesByAccount.test(statement) ? 'by account' : 'local';
}

/** Whether nobody else sees the account, after it, until the transaction has ended. */
export function makesAccount(statement: string): boolean {
  return insertsAccount.test(statement);
}
