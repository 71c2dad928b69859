// Handling of bugs: a bug ends only its session, reader or connection, and is reported to the host (docs/decisions/uncaught-errors.md).

interface FaultLog {
  error(fields: object, message: string): void;
}

/** Reports an unexpected error. Must not throw. @param fields log fields that identify the origin. */
export type ReportFault = (error: unknown, fields: object, what: string) => void;

/** The host's fault handler; without a handler, faults are logged. */
export function faultReporter({ log, onFault }: { log: FaultLog; onFault?: ReportFault }): ReportFault {
  return onFault ?? ((error, fields, what) => log.error({ err: error, ...fields }, what));
}
