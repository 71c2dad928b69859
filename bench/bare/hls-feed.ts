// The ingest of the bare C server for HLS: receives one RTMP publisher and lets FFmpeg write the playlist and segments of 2 s.
//   node bench/bare/hls-feed.ts <rtmp port> <folder>
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { flvHeader, flvTag, tagKind } from './flv-streams.ts';
import { takePublisher } from './rtmp-in.ts';

const [port, folder = '.'] = process.argv.slice(2);
/** Keeps FFmpeg from analysing the test stream: the slices of the stream are random bytes, which FFmpeg cannot decode. */
const input = ['-loglevel', 'fatal', '-probesize', '100000', '-f', 'flv', '-i', 'pipe:0', '-c', 'copy'];
const output = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '15', '-hls_flags', 'delete_segments'];

createServer({ noDelay: true }, (socket) =>
  takePublisher(socket, (name) => {
    const muxer = spawn('ffmpeg', [...input, ...output, join(folder, `${name}.m3u8`)], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    muxer.once('error', (error) => console.error(error.message));
    // FFmpeg has exited and has printed the reason.
    muxer.stdin.on('error', () => socket.destroy());
    socket.once('close', () => muxer.stdin.end());
    muxer.stdin.write(flvHeader);
    return (type, timestampMs, body) => {
      if (tagKind(type, body) !== undefined) muxer.stdin.write(flvTag(type, timestampMs, body));
    };
  }),
).listen(Number(port), '127.0.0.1');
