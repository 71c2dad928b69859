// Lets the gateway send files for the control plane. The gateway offers this in a request header, and the control plane responds with a
// byte range instead of a body. The gateway removes both headers from client traffic. Pure.

/** Request header with which the gateway offers to send files of the data folder. */
export const fileOfferHeader = 'x-gateway-sends-files';
/** Response header of the control plane that names the bytes for the gateway to send. */
export const fileHandoverHeader = 'x-gateway-file';

export interface FileHandover {
  /** Relative to the data folder. */
  readonly path: string;
  /** First byte. */
  readonly start: number;
  /** Exclusive end of the range. */
  readonly end: number;
}

export function writeFileHandover({ path, start, end }: FileHandover): string {
  return `${start}-${end} ${encodeURIComponent(path)}`;
}

/** Parses the text of `writeFileHandover`; undefined if invalid. */
export function parseFileHandover(text: string): FileHandover | undefined {
  const [, start = '', end = '', path = ''] = /^(\d{1,15})-(\d{1,15}) ([\w.!~*'()%-]+)$/.exec(text) ?? [];
  if (path === '' || Number(start) > Number(end)) return undefined;
  try {
    return { path: decodeURIComponent(path), start: Number(start), end: Number(end) };
  } catch {
    return undefined;
  }
}
