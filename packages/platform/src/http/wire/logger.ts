// The process log: pino to standard output, secrets removed wherever they appear.
import { type Logger, pino, stdSerializers } from 'pino';

const secretFields = [
  'token',
  'password',
  'secret',
  'authorization',
  'bearer',
  'setupToken',
  'param',
  'callback_secret',
];

export const redactedPaths = secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

export function createLogger(level: string): Logger {
  return pino({
    level,
    base: { process: 'platform' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: '******' },
    serializers: { err: stdSerializers.err },
  });
}
