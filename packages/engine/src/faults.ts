// Bugs in the handlers of one session, reader or connection: ended there, told to the host (docs/decisions/uncaught-errors.md).

interface FaultLog {
  error(fields: object, message: string): void;
}

/** Tells of an error that nobody expected. `fields` say where it came from, as in a log line. Must not throw. */
export type ReportFault = (error: unknown, fields: object, what: string) => void;

/** The host's way to hear of faults; a host that has none finds them in the log. */
export function faultReporter({ log, onFault }: { log: FaultLog; onFault?: ReportFault }): ReportFault {
  return onFault ?? ((error, fields, what) => log.error({ err: error, ...fields }, what));
}
