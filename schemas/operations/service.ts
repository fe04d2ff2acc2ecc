import Type from 'typebox';
import { ObjectSchema } from '../common.ts';
import { jsonResponse, withTag } from './operation.ts';

const Alive = ObjectSchema('Alive', { success: Type.Literal(true), status: Type.Literal('alive') });
const Ready = ObjectSchema('Ready', { success: Type.Literal(true), status: Type.Literal('ready') });
const Document = Type.Unsafe<object>({ type: 'object' });

export const serviceOperations = withTag('Service', [
  {
    id: 'getDocument',
    method: 'get',
    path: '/openapi.json',
    summary: 'Get this document',
    description: 'The OpenAPI 3.1 document of the API.',
    answers: jsonResponse('The document.', Document, { document: { openapi: '3.1.1' } }),
    isOpen: true,
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    summary: 'Check whether the process is alive',
    description: 'Does not use the database.',
    answers: jsonResponse('The process is alive.', Alive, { alive: { success: true, status: 'alive' } }),
    isOpen: true,
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    summary: 'Check whether the process is ready for requests',
    description: 'Checks the database, the migrations, the queue and `SECRET_KEY`.',
    answers: jsonResponse('The process is ready.', Ready, { ready: { success: true, status: 'ready' } }),
    errors: [500, 503],
    isOpen: true,
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    summary: 'Get metrics for Prometheus',
    description: 'For the operator. The bearer token is the setting `METRICS_TOKEN`.',
    answers: {
      200: {
        description: 'Metrics in the text format of Prometheus.',
        content: { 'text/plain': { schema: Type.String(), examples: { up: 'sonde_ledger_ok 1' } } },
      },
    },
    errors: [404],
    isOpen: true,
  },
]);
