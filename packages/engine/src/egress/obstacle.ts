// Why the viewers of an output would get nothing of a stream.
import type { Stream } from '../hub/stream-hub.ts';
import type { StreamReader } from '../hub/stream-reader.ts';

export interface Obstacle {
  /** `unsupported`: the output has no place for what is published; `absent`: what it would carry is not published. */
  readonly kind: 'unsupported' | 'absent';
  /** English sentence that says what can be done. */
  readonly detail: string;
  /** The codec of the stream that it is about. */
  readonly codec?: string;
}

/** A stream of sound alone that cannot be converted for this output. `acceptsVideo` is false where a picture is no help. */
export function audioObstacle(
  stream: Stream | undefined,
  output: Pick<StreamReader, 'acceptsAudio'>,
  acceptsVideo = true,
): Obstacle | undefined {
  const codec = stream?.undeliverableAudio(output, acceptsVideo);
  if (codec === undefined) return undefined;
  const detail = `the sound of this stream is ${codec}, which cannot be converted: publish AAC, MP3 or Opus`;
  return { kind: 'unsupported', detail, codec };
}
