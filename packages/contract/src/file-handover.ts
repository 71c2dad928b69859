// Lets the gateway send a file for the control plane. The gateway offers this with a request header; the response then names a byte range
// instead of containing it. Neither header is accepted from a client or sent to one. Pure.

/** Request header of the gateway: it can send files of the data folder. */
export const fileOfferHeader = 'x-gateway-sends-files';
/** Response header of the control plane: the gateway sends these bytes of the file instead of the empty body. */
export const fileHandoverHeader = 'x-gateway-file';

export interface FileHandover {
  /** Relative to the data folder. */
  readonly path: string;
  /** First byte. */
  readonly start: number;
  /** End of the range, exclusive. */
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
