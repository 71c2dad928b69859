// Selects the slate of a stream: the preferred look as soon as its file exists, before that the plain image.
import { basename } from 'node:path';
import type { ResponseOf } from '@srs-stack/contract';
import type { slates } from '@srs-stack/contract/endpoints/settings/slates.ts';
import type { LastFrames } from './last-frames.ts';
import type { SlateClipFile } from './slate-clip.ts';
import type { FileState, SlateFiles } from './slate-files.ts';
import type { SlateLook } from './slate-look.ts';
import type { SlateShape } from './slate-shape.ts';

type Row = ResponseOf<typeof slates.query>['streams'][number];

export interface SlateChoiceDeps {
  readonly files: Pick<SlateFiles, 'pathOf' | 'stateOf' | 'prepare'>;
  readonly clip: Pick<SlateClipFile, 'current'>;
  readonly lastFrames: Pick<LastFrames, 'of'>;
  readonly setting: () => typeof slates.document.empty;
}

export class SlateChoice {
  readonly #deps: SlateChoiceDeps;

  constructor(deps: SlateChoiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the best existing file and starts encoding better files. Without any file, starts with the fastest encoding.
   * @param name name of the stream; undefined for a stream without a source.
   */
  choose(shape: SlateShape, name: string | undefined, signal: AbortSignal): string | undefined {
    const { files } = this.#deps;
    const all = this.#looks(name).map((look) => ({ look, file: files.pathOf(shape, look) }));
    const ready = all.find(({ file }) => files.stateOf(file).state === 'ready');
    const missing = ready ? all.slice(0, all.indexOf(ready)) : all.toReversed();
    for (const { look } of missing) files.prepare(shape, look, signal);
    return ready?.file;
  }

  shapeOfTaken(name: string): SlateShape | undefined {
    return this.#takenOf(name)?.shape;
  }

  /** State of a slate for the console. @param loaded name of the file that the media server has read for the stream. */
  stateOf(shape: SlateShape, name: string, loaded: string | undefined): Omit<Row, 'app' | 'stream' | 'onAirMs'> {
    const files = this.#looks(name).map((look) => this.#deps.files.pathOf(shape, look));
    const [best, ...others] = files;
    const isLoaded = (file: string): boolean => basename(file) === loaded;
    if (isLoaded(best!)) return { state: 'ready' };
    if (others.some(isLoaded)) return { state: 'ready', ...this.#clipStateOf(best!) };
    const found = this.#deps.files.stateOf(files.at(-1)!);
    return found.state === 'ready' ? { state: 'preparing', progress: 1 } : found;
  }

  bestStateOf(shape: SlateShape): FileState {
    const { files } = this.#deps;
    return files.stateOf(files.pathOf(shape, this.#looks(undefined)[0]!));
  }

  /** Progress or failure of the clip; the image is shown until the clip is encoded. */
  #clipStateOf(file: string): Pick<Row, 'clipProgress' | 'clipFailure' | 'clipReason'> {
    const found = this.#deps.files.stateOf(file);
    if (this.#deps.setting().content !== 'clip') return {};
    if (found.state === 'failed')
      return { clipFailure: found.failure, ...(found.reason && { clipReason: found.reason }) };
    return { clipProgress: found.state === 'ready' ? 1 : (found.progress ?? 0) };
  }

  /** Possible looks, best first. The plain image is always included, because its encoding takes less than a second. */
  #looks(name: string | undefined): readonly SlateLook[] {
    const { image, title, text, content, blur } = this.#deps.setting();
    const still = { image, title, text };
    const clip = this.#deps.clip.current;
    if (content === 'clip' && clip) return [{ ...still, clip }, still];
    const taken = name === undefined ? undefined : this.#takenOf(name);
    return taken ? [{ ...still, frame: { ...taken.frame, isBlurred: blur } }, still] : [still];
  }

  #takenOf(name: string): ReturnType<LastFrames['of']> {
    return this.#deps.setting().content === 'last-frame' ? this.#deps.lastFrames.of(name) : undefined;
  }
}
