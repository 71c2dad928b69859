// The log of a process: JSON lines on stdout, or readable lines in a terminal. The values of secret fields are masked.
import { type Logger, pino, stdSerializers } from 'pino';

export type { Logger };

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

export interface LoggerOptions {
  readonly process: string;
  /** A level of pino, or `silent`. Any other value counts as `info`. */
  readonly level: string;
  /** `pretty` loads the formatter, which costs memory, so servers use `json`. */
  readonly format?: 'json' | 'pretty';
}

export async function createLogger({ process, level, format = 'json' }: LoggerOptions): Promise<Logger> {
  const settings = {
    level: level in pino.levels.values || level === 'silent' ? level : 'info',
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: '******' },
    serializers: { err: stdSerializers.err },
  };
  if (format === 'json') return pino(settings);
  const { default: pretty } = await import('pino-pretty');
  return pino(settings, pretty({ sync: true, ignore: 'pid,hostname' }));
}
