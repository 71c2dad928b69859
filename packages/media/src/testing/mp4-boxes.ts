// Parses the boxes of an MP4 file only by sizes and types (ISO/IEC 14496-12 §4.2), as a player does.

export interface Mp4Box {
  readonly type: string;
  readonly payload: Buffer;
}

/** Parses consecutive boxes. Throws when the last box is truncated. */
export function readBoxes(bytes: Buffer): Mp4Box[] {
  const boxes: Mp4Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length)
      throw new Error(`MP4 box of ${size} bytes at offset ${at} does not fit into ${bytes.length} bytes`);
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), payload: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return boxes;
}

/** Payloads of all boxes at a path such as `moov/trak/tkhd`, in file order. */
export function findBoxes(bytes: Buffer, path: string): Buffer[] {
  const [type, ...rest] = path.split('/');
  const found = readBoxes(bytes).filter((box) => box.type === type);
  return rest.length === 0
    ? found.map(({ payload }) => payload)
    : found.flatMap(({ payload }) => findBoxes(payload, rest.join('/')));
}
