// Reads a slate file (MPEG-TS, prepared by the control plane) as loops of packets. Pure.
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { AudioPacket, Packet, VideoPacket } from '@srs-stack/media/packet.ts';
import type { SlateLoop, SlateMedia } from '../../hub/slate/slate-media.ts';

/** Assumed packet interval of a file with only one packet, milliseconds. */
const defaultStepMs = 40;

/** Throws an `Error` for the log when the file has no usable media. */
export function readSlate(bytes: Buffer): SlateMedia {
  const packets: Packet[] = [];
  const demuxer = new TsDemuxer({ onTrack: () => undefined, onPacket: (packet) => packets.push(packet) });
  demuxer.push(bytes);
  demuxer.end();
  const video = packets.filter((packet): packet is VideoPacket => packet.track.kind === 'video');
  const audio = packets.filter((packet): packet is AudioPacket => packet.track.kind === 'audio');
  const firstKeyframe = video.findIndex(({ keyframe }) => keyframe);
  if (video.length > 0 && firstKeyframe < 0) throw new Error('the video of the slate has no keyframe');
  const shown = video.slice(Math.max(0, firstKeyframe));
  const media = { video: toLoop(shown), audio: toLoop(withoutLeading(audio, shown[0])) };
  if (!media.video && !media.audio) throw new Error('the slate has no supported video or audio');
  return media;
}

/** Encoders start audio about one frame before video. Drops leading audio, so that both tracks start within half an audio frame. */
function withoutLeading(audio: readonly AudioPacket[], video: VideoPacket | undefined): readonly AudioPacket[] {
  const [first, second] = audio;
  if (!video || !first || !second) return audio;
  const halfFrameMs = (second.dtsMs - first.dtsMs) / 2;
  const start = audio.findIndex(({ ptsMs }) => ptsMs >= video.ptsMs - halfFrameMs);
  return start < 0 ? audio : audio.slice(start);
}

function toLoop<P extends VideoPacket | AudioPacket>(packets: readonly P[]): SlateLoop<P> | undefined {
  const [first] = packets;
  if (!first) return undefined;
  const { track } = first;
  if (packets.some((packet) => !packet.track.config.equals(track.config))) {
    throw new Error(`the ${track.kind} configuration changes within the slate`);
  }
  const times = packets.map(({ dtsMs }) => dtsMs - first.dtsMs);
  if (times.some((time, index) => index > 0 && time <= times[index - 1]!))
    throw new Error('the timestamps of the slate go backwards');
  const lastMs = times.at(-1)!;
  const stepMs = times.length > 1 ? lastMs / (times.length - 1) : defaultStepMs;
  const shifted = packets.map((packet, index) => ({
    ...packet,
    track,
    dtsMs: times[index]!,
    ptsMs: Math.max(times[index]!, packet.ptsMs - first.dtsMs),
  }));
  return { packets: shifted, durationMs: lastMs + stepMs };
}
