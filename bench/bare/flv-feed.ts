// The ingest of the bare C server: receives one RTMP publisher, writes each FLV tag to standard output as a record of its
// length (u32), its kind (u8: 0 sequence header or metadata, 1 keyframe, 2 other), and its bytes.
//
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
// The server that started this process has exited.
process.stdout.once('error', () => process.exit(0));
