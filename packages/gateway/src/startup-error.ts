// What keeps the process from starting, as one sentence an operator can act on.
import type { ListenAddress } from '@srs-stack/engine';

/** A start failure whose message is complete; it is printed without a stack trace. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Sentence for a failed bind, naming the port and the variable that sets it. */
export function listenFailure(variable: string, address: ListenAddress, error: unknown): StartupError {
  const where = address.host === undefined ? `port ${address.port}` : `${address.host}:${address.port}`;
  const code = codeOf(error);
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} is already in use; stop the program that uses it, or set ${variable} to another port.`,
    EACCES: `no permission to listen on ${where}; set ${variable} to a port of 1024 or above.`,
    EADDRNOTAVAIL: `${where} is not an address of this machine; correct ${variable}.`,
  };
  const reason = reasons[code] ?? `cannot listen on ${where} (${variable}): ${describe(error)}.`;
  return new StartupError(`Cannot start: ${reason}`, { cause: error });
}

/** Sentence for a folder that cannot be created or written, naming the variable that sets it. */
export function folderFailure(variable: string, folder: string, error: unknown): StartupError {
  const why = codeOf(error) === 'EACCES' || codeOf(error) === 'EROFS' ? 'is not writable' : 'cannot be used';
  return new StartupError(
    `Cannot start: the folder ${folder} ${why} (${describe(error)}); correct its permissions or set ${variable}.`,
    { cause: error },
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
