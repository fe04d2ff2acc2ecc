import cors from 'cors';
import type { RequestHandler } from 'express';

/**
 * Allows pages of these origins to call the API. Credentials such as cookies stay forbidden, because tokens are sent in
 * a header. `*` is therefore safe.
 */
export function allowOrigins(origins: string[]): RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
    exposedHeaders: [
      ...['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'Idempotent-Replayed'],
      ...['Location', 'Link', 'ETag', 'Content-Disposition', 'WWW-Authenticate'],
    ],
    maxAge: 600,
  });
}
