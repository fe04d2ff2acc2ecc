/**
 * Registers a fourth check type for processes that are started with `node --import`. Like a real type, it has an entry
 * in the table of types and an entry in the table of engines.
 */
import Type from 'typebox';
import { checkTypeNames, checkTypes } from '../../../schemas/check-types.ts';
import { LengthAnswer, LengthOptions } from './schema.ts';

const AskedUrl = Type.Object({ url: Type.String() });

const length = {
  title: 'Length',
  inputs: 'URLs',
  oneInput: 'URL',
  schemaName: 'Length',
  urlPath: '/length',
  queue: 'length-checks',
  inputsPerJob: 25,
  searchFields: null,
  keepsHistory: false,
  hasSnapshotId: false,
  misfit: 'This entry cannot be measured.',
  input: AskedUrl,
  asked: AskedUrl,
  options: LengthOptions,
  answer: LengthAnswer,
  summary: ['long', 'short'],
  filters: ['failed'],
  answerField: 'length',
  examples: {
    short: { input: { url: 'https://a.example/' }, answer: { length: 18, is_long: false }, tally: ['short'] },
  },
  document: {
    tag: 'Lengths',
    about: 'How long an address is.',
    operationId: 'checkLength',
    single: { summary: 'Measure a URL', description: 'At once.' },
    bulk: { summary: 'Measure up to 2,000 URLs', description: 'In the background.' },
  },
};

Object.assign(checkTypes, { length });
checkTypeNames.push('length' as (typeof checkTypeNames)[number]);

// Imported now, because modules that read the table at load must find the new entry.
const { engineFactories } = await import('../../../checks/engines.ts');
const { lengthEngine } = await import('./engine.ts');
Object.assign(engineFactories, { length: lengthEngine });
await import('../hurried-chores.ts');
