// The last keyframe of each source that has fallen silent, decoded once before the slate of the stream starts. A source that sends costs
// nothing.
import { createHash } from 'node:crypto';
import { createPlaces } from '../../concurrency/places.ts';
import type { MediaServer, MediaServerStream } from '../../media-server/media-server.ts';
import type { SlateFrame } from './slate-look.ts';
import { type SlateShape, shapeOf } from './slate-shape.ts';

/** Maximum number of images decoded in parallel. An image uses one CPU core for a tenth of a second. */
const maxAtOnce = 2;

interface Taken {
  readonly shape: SlateShape;
  readonly frame: Omit<SlateFrame, 'isBlurred'> | undefined;
}

export interface LastFramesDeps {
  readonly mediaServer: Pick<MediaServer, 'readKeyframe'>;
  readonly takeScreenshot: (keyframe: Buffer, signal: AbortSignal) => Promise<Buffer | undefined>;
}

export class LastFrames {
  readonly #deps: LastFramesDeps;
  readonly #place = createPlaces(maxAtOnce);
  readonly #taken = new Map<string, Taken>();
  /** Formats of sources while sending: a silent source has no measured frame rate. */
  #shapes = new Map<string, ReturnType<typeof shapeOf>>();

  constructor(deps: LastFramesDeps) {
    this.#deps = deps;
  }

  /** Decodes the last keyframe of sources that have fallen silent. Forgets the frames of sources that send again. */
  async look(streams: readonly MediaServerStream[], signal: AbortSignal): Promise<void> {
    const sending = streams.filter((stream) => !isAbsent(stream));
    const known = streams.map((stream) => [nameOf(stream), this.#shapes.get(nameOf(stream))] as const);
    this.#shapes = new Map([...known, ...sending.map((stream) => [nameOf(stream), shapeOf(stream)] as const)]);
    const absent = new Map(streams.filter(isAbsent).map((stream) => [nameOf(stream), stream]));
    for (const name of [...this.#taken.keys()]) if (!absent.has(name)) this.#taken.delete(name);
    await Promise.all([...absent].map(([name, stream]) => this.#place(() => this.#take(name, stream, signal))));
  }

  of(name: string): (Taken & { readonly frame: Omit<SlateFrame, 'isBlurred'> }) | undefined {
    const taken = this.#taken.get(name);
    return taken?.frame && { shape: taken.shape, frame: taken.frame };
  }

  async #take(name: string, stream: MediaServerStream, signal: AbortSignal): Promise<void> {
    const shape = this.#shapes.get(name) ?? shapeOf(stream);
    // Skips a stream that shows its slate or backup: those frames are not from the source.
    if (this.#taken.has(name) || isReplaced(stream) || shape === undefined || shape === 'unknown') return;
    const keyframe = await this.#deps.mediaServer.readKeyframe(stream.id).catch(() => undefined);
    const jpeg = keyframe && (await this.#deps.takeScreenshot(keyframe, signal));
    const frame = jpeg && { jpeg, version: createHash('sha256').update(jpeg).digest('hex') };
    this.#taken.set(name, { shape, frame });
  }
}

function isAbsent(stream: MediaServerStream): boolean {
  return stream.isPublished && (isReplaced(stream) || stream.details?.silentForMs !== undefined);
}

function isReplaced({ details }: MediaServerStream): boolean {
  return details?.slateForMs !== undefined || details?.backupForMs !== undefined;
}

function nameOf({ app, stream }: MediaServerStream): string {
  return `${app}/${stream}`;
}
