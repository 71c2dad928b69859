// Format of log lines: readable text in a terminal, or one JSON object per line for log collectors.

import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Environment } from './environment.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export type LogFormat = 'json' | 'pretty';

/** Format from `LOG_FORMAT`. Without this variable: readable lines in a terminal, else JSON. */
export function logFormat(environment: Environment, isTerminal: boolean): LogFormat {
  if (environment.LOG_FORMAT === 'json' || environment.LOG_FORMAT === 'pretty') return environment.LOG_FORMAT;
  return isTerminal ? 'pretty' : 'json';
}

/** A stream that reads JSON log lines and prints readable lines to standard output. */
export async function prettyOutput(): Promise<NodeJS.WritableStream> {
  // Loaded only for a terminal. Services write JSON and need no formatter.
  const { default: pretty } = await import('pino-pretty');
  return pretty({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true, destination: 1 });
}

/** The supervisor's log, on standard output by default. Throws `StartRefusal` for an unknown level. */
export async function createLog(format: LogFormat, level: string, output?: DestinationStream): Promise<Logger> {
  if (!levels.includes(level)) {
    throw new StartRefusal(`LOG_LEVEL is "${level}", which is not one of ${levels.join(', ')}.`);
  }
  // The servers log the same fields, so that one rule parses the whole log.
  const options = { base: { process: 'stack' }, timestamp: pino.stdTimeFunctions.isoTime, level };
  return pino(options, output ?? (format === 'pretty' ? await prettyOutput() : pino.destination(1)));
}
