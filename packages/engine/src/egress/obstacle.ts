// Reasons why an output cannot carry a stream.
import type { Stream } from '../hub/stream-hub.ts';
import type { StreamReader } from '../hub/stream-reader.ts';

export interface Obstacle {
  /** `unsupported`: the output cannot carry the published media. `absent`: the media that the output needs is not published. */
  readonly kind: 'unsupported' | 'absent';
  readonly detail: string;
  readonly codec?: string;
}

/**
 * Obstacle if the stream has only audio that this output does not support and that cannot be converted. Undefined if playable.
 * @param acceptsVideo false for outputs without video.
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
