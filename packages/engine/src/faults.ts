// Handles bugs in one session, reader or connection: ends it, and reports the error to the host (docs/decisions/uncaught-errors.md).

interface FaultLog {
  error(fields: object, message: string): void;
}

/** Reports an unexpected error. `fields` identify its origin, as in a log line. Must not throw. */
export type ReportFault = (error: unknown, fields: object, what: string) => void;

/** The host's handler of faults; without one they are logged. */
export function faultReporter({ log, onFault }: { log: FaultLog; onFault?: ReportFault }): ReportFault {
  return onFault ?? ((error, fields, what) => log.error({ err: error, ...fields }, what));
}
