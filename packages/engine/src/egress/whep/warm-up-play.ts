// A synthetic stream for a warm-up viewer: past frames since a keyframe, then new frames.
import type { RtcTrack } from '../../webrtc-transport/webrtc-transport.ts';
import { FanOut } from './fan-out.ts';
import { SharedRtpPacket } from './shared-rtp-packet.ts';
import { WhepViewer } from './whep-viewer.ts';

/** Number of past frames, one packet each: two seconds at 30 frames per second. */
const pastFrames = 60;
/** Number of new frames. Each frame has `packetsPerFrame` packets, as in a stream of 1 Mbit/s. */
const newFrames = 10;
const packetsPerFrame = 4;
const payloadBytes = 1_000;
const frameTicks = 3_000;
const payloadType = 102;

/** @param now monotonic milliseconds. */
export function playWarmUp(tracks: readonly RtcTrack[], now: number): void {
  const nothing = (): void => undefined;
  const events = {
    ...{ onSent: nothing, onKeyframeRequest: nothing, onResendRequest: nothing, onStreamEnd: nothing },
    wallClock: () => 0,
  };
  const viewer = new WhepViewer(tracks, events, now);
  const ssrc = tracks[0]?.plan.ssrc ?? 0;
  let sequence = 0;
  const packet = (index: number): SharedRtpPacket =>
    new SharedRtpPacket({
      ...{ marker: true, payloadType, sequence: sequence++, timestamp: index * frameTicks, ssrc },
      payload: Buffer.alloc(payloadBytes),
    });
  let isBehind = viewer.catchUp(Array.from({ length: pastFrames }, (_, index) => packet(index)));
  while (isBehind) isBehind = viewer.sendStep();
  const fanOut = new FanOut<WhepViewer>();
  for (let index = 0; index < newFrames; index++) {
    for (let part = 0; part < packetsPerFrame; part++) fanOut.add('video', packet(pastFrames + index));
    fanOut.flush(() => [viewer]);
  }
}
