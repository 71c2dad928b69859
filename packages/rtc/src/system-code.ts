// Converts errors of the addon's sockets to the form of Node's errors.
import { getSystemErrorName } from 'node:util';

/** The addon reports only `errno`. This function adds the other fields of Node's socket errors. */
export function withSystemCode<T>(
  { host = '', port }: { readonly host?: string; readonly port: number },
  open: () => T,
): T {
  try {
    return open();
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    if (errno === undefined) throw error;
    const code = getSystemErrorName(errno);
    const message = `bind ${code} ${host || '*'}:${port}`;
    throw Object.assign(new Error(message, { cause: error }), { errno, code, syscall: 'bind', address: host, port });
  }
}
