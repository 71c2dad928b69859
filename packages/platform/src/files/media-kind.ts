// Detects the kind of a media file from its first bytes. The name decides only between extensions of one kind.
import { open } from 'node:fs/promises';

const headBytes = 1_024;
const tsPacketBytes = 188;
const tsSync = 0x47;

interface Kind {
  readonly extension: string;
  readonly matches: (head: Buffer) => boolean;
}

const text = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to);
const isobmff = /^(?:ftyp|moov|mdat|wide|free|skip|pnot)$/;

/** Kinds of media files. The first match counts. Content of `.m4a` and `.mov` matches `.mp4`, but these files keep their extension. */
const kinds: readonly Kind[] = [
  { extension: '.mp4', matches: (head) => isobmff.test(text(head, 4, 8)) },
  { extension: '.flv', matches: (head) => text(head, 0, 3) === 'FLV' && head[3] === 1 },
  { extension: '.mkv', matches: (head) => head.length > 4 && head.readUInt32BE(0) === 0x1a45dfa3 },
  { extension: '.ts', matches: isTransportStream },
  { extension: '.mp3', matches: (head) => text(head, 0, 3) === 'ID3' || isMpegAudio(head) },
  { extension: '.aac', matches: (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0 },
];
const sameKind: Readonly<Record<string, string>> = { '.mov': '.mp4', '.m4a': '.mp4' };

function isTransportStream(head: Buffer): boolean {
  return head.length > 2 * tsPacketBytes && [0, 1, 2].every((n) => head[n * tsPacketBytes] === tsSync);
}

/** MPEG audio layer III: sync word and layer bits (ISO/IEC 11172-3 §2.4.1.3). */
function isMpegAudio(head: Buffer): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2;
}

/** Returns the extension that fits the content; undefined for unknown media. `extension` is kept if it fits. */
export function fittingExtension(head: Buffer, extension: string): string | undefined {
  const kind = kinds.find(({ matches }) => matches(head))?.extension;
  return kind !== undefined && (sameKind[extension] ?? extension) === kind ? extension : kind;
}

export async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
