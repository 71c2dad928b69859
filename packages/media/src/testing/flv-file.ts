// Splits an FLV file into tags. For tests only, and independent of the muxer under test.
export interface FileTag {
  readonly type: number;
  readonly timestampMs: number;
  readonly body: Buffer;
  readonly bytes: Buffer;
}

export function splitFlvFile(file: Buffer): FileTag[] {
  const tags: FileTag[] = [];
  for (let at = 13; at < file.length; ) {
    const size = file.readUIntBE(at + 1, 3);
    const timestampMs = file.readUIntBE(at + 4, 3) + file[at + 7]! * 2 ** 24;
    const body = file.subarray(at + 11, at + 11 + size);
    tags.push({ type: file[at]!, timestampMs, body, bytes: file.subarray(at, at + 15 + size) });
    at += 15 + size;
  }
  return tags;
}
