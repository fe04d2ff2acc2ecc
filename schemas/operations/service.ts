import Type from 'typebox';
import { Alive, Ready } from '../service.ts';
import { json, type Operation } from './operation.ts';

const Document = Type.Unsafe<object>({ type: 'object' });

export const serviceOperations: Operation[] = [
  {
    id: 'getDocument',
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'Get this document',
    description: 'OpenAPI 3.1, for generators and viewers.',
    answers: { 200: json('The document.', Document, { document: { openapi: '3.1.1' } }) },
    isOpen: true,
  },
  {
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Tell whether the process lives',
    description: 'Asks nothing of the database.',
    answers: { 200: json('It lives.', Alive, { alive: { success: true, status: 'alive' } }) },
    isOpen: true,
  },
  {
    id: 'getReadiness',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Tell whether requests can be served',
    description: 'Whether database, migrations and queue are there.',
    answers: { 200: json('It is ready.', Ready, { ready: { success: true, status: 'ready' } }) },
    errors: [500, 503],
    isOpen: true,
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'Get metrics for Prometheus',
    description: 'For the operator, who sends the `METRICS_TOKEN` of the settings as a bearer token.',
    answers: {
      200: {
        description: 'In the text format of Prometheus.',
        content: { 'text/plain': { schema: Type.String(), examples: { up: 'sonde_ledger_ok 1' } } },
      },
    },
    errors: [404],
    isOpen: true,
  },
];
