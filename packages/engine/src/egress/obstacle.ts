// Reasons why an output cannot carry a stream.
import type { Stream } from '../hub/stream-hub.ts';
import type { StreamReader } from '../hub/stream-reader.ts';

export interface Obstacle {
  /** `unsupported`: the output does not support the published media; `absent`: the media it would carry is not published. */
  readonly kind: 'unsupported' | 'absent';
  /** English sentence with the remedy. */
  readonly detail: string;
  /** The codec that is not supported. */
  readonly codec?: string;
}

/**
 * Obstacle of an audio-only stream whose audio cannot be converted for this output; undefined when there is none. `acceptsVideo` is false
 * for outputs without video.
 */
export function audioObstacle(
  stream: Stream | undefined,
  output: Pick<StreamReader, 'acceptsAudio'>,
  acceptsVideo = true,
): Obstacle | undefined {
  const codec = stream?.undeliverableAudio(output, acceptsVideo);
  if (codec === undefined) return undefined;
  const detail = `the audio of this stream is ${codec}, which cannot be converted: publish AAC, MP3 or Opus`;
  return { kind: 'unsupported', detail, codec };
}
