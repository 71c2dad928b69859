import type { Stream } from '../../hub/stream-hub.ts';
import { audioObstacle, type Obstacle } from '../obstacle.ts';
import { whepAudio } from './whep-broadcast.ts';

export function obstacleToWhep(stream: Stream | undefined): Obstacle | undefined {
  return audioObstacle(stream, whepAudio) ?? uncarriedVideo(stream);
}

function uncarriedVideo(stream: Stream | undefined): Obstacle | undefined {
  const codec = stream?.video?.codec;
  if (codec === undefined || codec === 'h264') return undefined;
  const detail = `WebRTC requires H.264, and this stream is ${codec}: play it over HTTP-FLV or HLS, or transcode it`;
  return { kind: 'unsupported', detail, codec };
}
