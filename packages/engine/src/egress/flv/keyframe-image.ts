// The newest keyframe of a stream as an FLV file with one frame, to be decoded to a still image. Does not count as a viewer.
import {
  type FlvMessage,
  flvTagBytes,
  toFlvMessage,
  toSequenceHeader,
  writeFlvHeader,
  writeFlvTag,
} from '@srs-stack/media/containers/flv/flv-muxer.ts';
import type { VideoPacket } from '@srs-stack/media/packet.ts';

export function writeKeyframeFile(keyframe: VideoPacket): Buffer {
  const still = { ...keyframe, dtsMs: 0, ptsMs: 0 };
  const configuration = toSequenceHeader(keyframe.track, 0);
  const messages: FlvMessage[] = [...(configuration ? [configuration] : []), toFlvMessage(still)];
  const header = writeFlvHeader({ hasVideo: true, hasAudio: false });
  const file = Buffer.alloc(messages.reduce((sum, message) => sum + flvTagBytes(message), header.length));
  let offset = header.copy(file);
  for (const message of messages) offset = writeFlvTag(file, offset, message);
  return file;
}
