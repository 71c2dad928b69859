// Lets the gateway send a file for the control plane: the gateway offers this with a request header, and the response names the byte range
// instead of containing it. Neither header is accepted from, or sent to, a client. Pure.

/** Request header of the gateway: it can send files of the data folder. */
export const fileOfferHeader = 'x-gateway-sends-files';
/** Header of a response without a body: the gateway sends these bytes as the body. */
export const fileHandoverHeader = 'x-gateway-file';

export interface FileHandover {
  /** Relative to the data folder. */
  readonly path: string;
  /** First byte. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export function writeFileHandover({ path, start, end }: FileHandover): string {
  return `${start}-${end} ${encodeURIComponent(path)}`;
}

/** Undefined for anything that `writeFileHandover` does not produce. */
export function parseFileHandover(text: string): FileHandover | undefined {
  const [, start = '', end = '', path = ''] = /^(\d{1,15})-(\d{1,15}) ([\w.!~*'()%-]+)$/.exec(text) ?? [];
  if (path === '' || Number(start) > Number(end)) return undefined;
  try {
    return { path: decodeURIComponent(path), start: Number(start), end: Number(end) };
  } catch {
    return undefined;
  }
}
