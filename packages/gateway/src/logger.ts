// The process logger: JSON lines on stdout, or readable lines for people who run it in a terminal.
import { type Logger, pino } from 'pino';

export type { Logger };

/** @param format `pretty` loads the formatter, which costs memory; servers keep `json`. */
export async function createLogger(options: { level: string; format: 'json' | 'pretty' }): Promise<Logger> {
  const level = options.level in pino.levels.values || options.level === 'silent' ? options.level : 'info';
  const settings = { level, base: { process: 'gateway' }, timestamp: pino.stdTimeFunctions.isoTime };
  if (options.format === 'json') return pino(settings);
  const { default: pretty } = await import('pino-pretty');
  return pino(settings, pretty({ sync: true, ignore: 'pid,hostname' }));
}
