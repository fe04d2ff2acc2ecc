import winston from 'winston';

export type Log = winston.Logger;

export interface LogConfig {
  level: string;
  format: 'json' | 'pretty';
}

/**
 * Creates a logger that writes one event per line: a sentence, and fields for searches. Masks all text that looks like
 * a secret.
 */
export function createLog(config: LogConfig): Log {
  const { combine, errors, json, printf, timestamp } = winston.format;
  const line = config.format === 'json' ? json() : printf(prettyLine);
  return winston.createLogger({
    level: config.level,
    format: combine(errors({ stack: true, cause: true }), timestamp(), flatten(), line, maskLine()),
    transports: [new winston.transports.Console({ stderrLevels: [], consoleWarnLevels: [] })],
  });
}

const messageSymbol = Symbol.for('message');

/** Converts fields that are error objects, because JSON would show such a field as `{}`. Cuts long texts. */
const flatten = winston.format((info) => {
  for (const [key, value] of Object.entries(info)) {
    if (value instanceof Error) info[key] = describe(value);
    else if (typeof value === 'string' && value.length > 2000) info[key] = `${value.slice(0, 2000)}…`;
  }
  return info;
});

function describe(error: Error & { code?: string }): Record<string, unknown> {
  const cause = error.cause instanceof Error ? describe(error.cause) : undefined;
  return { name: error.name, message: error.message, code: error.code, stack: error.stack, cause };
}

const maskLine = winston.format((info) => {
  const line = info[messageSymbol];
  if (typeof line === 'string') info[messageSymbol] = mask(line);
  return info;
});

function mask(line: string): string {
  return line
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, '$1 …')
    .replace(/sonde_[0-9A-Za-z]{20,}/g, 'sonde_…')
    .replace(/whsec_[0-9A-Za-z+/=]{8,}/g, 'whsec_…')
    .replace(/(postgres(?:ql)?:\/\/[^:@/\s]*):[^@\s]*@/g, '$1:…@');
}

function prettyLine(info: winston.Logform.TransformableInfo): string {
  const { level, message, timestamp, stack, ...fields } = info;
  const time = String(timestamp).slice(11, 19);
  const shown = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  return `${time} ${level.padEnd(5)} ${String(message)}${shown}${stack ? `\n${String(stack)}` : ''}`;
}
