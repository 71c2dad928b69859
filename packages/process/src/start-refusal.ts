// An error that prevents the start of a process. Its message for operators is printed without a stack trace.

/** Exit code that the supervisor, as it does code 1, takes for an invalid configuration (`EX_CONFIG` of sysexits.h). */
export const configurationErrorExitCode = 78;

/** Prevents the start. The message is complete and needs no prefix. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
}

/** Converts an error into a refusal that names the failed operation. */
export function startRefusalOf(attempt: string, error: unknown): StartRefusal {
  if (error instanceof StartRefusal) return error;
  return new StartRefusal(`${attempt}: ${describe(error)}`, { cause: error });
}

/** Message for a failed bind, with the port and the variable that sets this port. */
export function listenRefusal(
  variable: string,
  address: { readonly host?: string; readonly port: number },
  error: unknown,
): StartRefusal {
  return new StartRefusal(`Cannot start: ${listenProblem(variable, address, error)}`, { cause: error });
}

/** Like `listenRefusal`, but without "Cannot start", for an optional port. */
export function listenProblem(
  variable: string,
  address: { readonly host?: string; readonly port: number },
  error: unknown,
): string {
  const where = address.host === undefined ? `port ${address.port}` : `${address.host}:${address.port}`;
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} is already in use; stop the program that uses it, or set ${variable} to another port.`,
    EACCES: `no permission to listen on ${where}; set ${variable} to a port of 1024 or above.`,
    EADDRNOTAVAIL: `${where} is not an address of this machine; correct ${variable}.`,
  };
  return reasons[codeOf(error)] ?? `cannot listen on ${where} (${variable}): ${describe(error)}.`;
}

/** Message for a folder that cannot be created or written, with the variable that sets this folder. */
export function folderRefusal(variable: string, folder: string, error: unknown): StartRefusal {
  const why = codeOf(error) === 'EACCES' || codeOf(error) === 'EROFS' ? 'is not writable' : 'cannot be used';
  return new StartRefusal(
    `Cannot start: the folder ${folder} ${why} (${describe(error)}); correct its permissions or set ${variable}.`,
    { cause: error },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
