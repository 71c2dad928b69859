// How the control plane leaves the sending of a file to the gateway: the gateway offers it with a request header, the answer
// names the bytes instead of carrying them. Neither header ever comes from a client or reaches one. Pure.

/** Request header of the gateway: it can send files of the data folder itself. */
export const fileOfferHeader = 'x-gateway-sends-files';
/** Header of an answer without a body: its body is these bytes. */
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

/** Undefined for anything `writeFileHandover` does not write. */
export function parseFileHandover(text: string): FileHandover | undefined {
  const [, start = '', end = '', path = ''] = /^(\d{1,15})-(\d{1,15}) ([\w.!~*'()%-]+)$/.exec(text) ?? [];
  if (path === '' || Number(start) > Number(end)) return undefined;
  try {
    return { path: decodeURIComponent(path), start: Number(start), end: Number(end) };
  } catch {
    return undefined;
  }
}
