// Why the product does not start, as one sentence an operator can act on. Printed without a stack trace.

/** Exit code of a server that was configured in a way it cannot run with (`EX_CONFIG` of sysexits.h). */
export const configurationErrorExitCode = 78;

export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}
