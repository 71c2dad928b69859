// The ingest of the bare C server: receives one RTMP publisher and writes a record for each FLV tag to standard output.
// A record is the length (u32), the kind (u8: 0 sequence header or metadata, 1 keyframe, 2 other) and the bytes of the tag.
//   node bench/bare/flv-feed.ts <rtmp port>
import { createServer } from 'node:net';
import { flvTag, tagKind } from './flv-streams.ts';
import { takePublisher } from './rtmp-in.ts';

const recordHeadBytes = 5;

createServer({ noDelay: true }, (socket) =>
  takePublisher(socket, () => (type, timestampMs, body) => {
    const kind = tagKind(type, body);
    if (kind === undefined) return;
    const tag = flvTag(type, timestampMs, body);
    const head = Buffer.alloc(recordHeadBytes);
    head.writeUInt32BE(tag.length);
    head[4] = kind;
    process.stdout.write(Buffer.concat([head, tag]));
  }),
).listen(Number(process.argv[2]), '127.0.0.1');
// The bare C server, which reads this output, has exited.
process.stdout.once('error', () => process.exit(0));
