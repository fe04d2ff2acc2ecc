/**
 * A fourth type of check for the processes that are started with it (`node --import`), registered as a real
 * one would be: an entry in the table of types, and one in the table of engines.
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
  exampleError: 'checker_failed',
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

// Only now, for whatever reads the table when it is loaded is to find the new entry there.
const { engineMakers } = await import('../../../checks/engines.ts');
const { lengthEngine } = await import('./engine.ts');
Object.assign(engineMakers, { length: lengthEngine });
await import('../hurried-chores.ts');
