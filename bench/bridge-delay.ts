// Measures the delay of the audio bridge: `node bench/bridge-delay.ts [aac|mp3|opus] [seconds]`. Each packet is sent
// when an encoder would have completed it. The delay is the time from sending an input packet to receiving the
// converted packet with equal timestamp.
import { setTimeout as sleep } from 'node:timers/promises';
import { createFfmpegAudioBridge } from '../packages/engine/src/bridge/ffmpeg-audio-bridge.ts';
import { recordingLog } from '../packages/engine/src/testing/recorders.ts';
import { audioPackets, type TestCodec } from '../packages/engine/test/bridge-media.ts';

const [codec = 'aac', seconds = '10'] = process.argv.slice(2) as [TestCodec?, string?];
const target = codec === 'opus' ? 'aac' : 'opus';
/** Media time at the start that is not measured, milliseconds: FFmpeg is still starting. */
const warmUpMs = 2000;

const packets = await audioPackets(codec, { seconds: Number(seconds), sampleRate: codec === 'aac' ? 44_100 : 48_000 });
const clock = () => performance.now();
const bridge = createFfmpegAudioBridge({ log: recordingLog(), clock });
const arrivals: { ptsMs: number; atMs: number }[] = [];
const delays: number[] = [];
const startedMs = clock();
let firstMs: number | undefined;
const conversion = bridge.convert({
  stream: { vhost: 'v', app: 'a', stream: 's' },
  source: packets[0]!.track,
  target,
  onPacket({ ptsMs }) {
    firstMs ??= clock() - startedMs;
    const arrival = arrivals.findLast((input) => input.ptsMs <= ptsMs);
    if (arrival && ptsMs > warmUpMs) delays.push(clock() - arrival.atMs);
  },
});
for (const [index, packet] of packets.entries()) {
  const endMs = packets[index + 1]?.ptsMs ?? packet.ptsMs + 20;
  await sleep(Math.max(0, startedMs + endMs - clock()));
  arrivals.push({ ptsMs: packet.ptsMs, atMs: clock() });
  conversion.push(packet);
}
await sleep(200);
conversion.close();
delays.sort((a, b) => a - b);
const at = (share: number) => delays[Math.floor((delays.length - 1) * share)]?.toFixed(1);
console.log(
  `${codec} → ${target}: first after ${firstMs?.toFixed(0)} ms; ${delays.length} packets, delay p50 ${at(0.5)} p99 ${at(0.99)} max ${at(1)} ms`,
);
