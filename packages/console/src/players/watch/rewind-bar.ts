// Seek bar over the rewind window with preview images. Loaded only for streams with a rewind window.
import type { WatchRewind } from '@srs-stack/contract/values/watch-info.ts';
import { element } from '../player-stage.ts';
import { onServer } from '../server-root.ts';
import { cueAt, parseStoryboard, type StoryboardCue } from './storyboard.ts';
import type { WatchTexts } from './watch-texts.ts';

/** Positions closer to the end count as live, seconds: one or two segments. Shorter windows have no seek bar. */
export const nowSeconds = 8;
/** Seconds per arrow key and per page key. */
const steps = { arrow: 10, page: 60 } as const;
/** Refresh interval of the preview images, milliseconds. The rewind window moves with the live edge. */
const storyboardMs = 30_000;
/** Width of a preview image, pixels. */
const previewWidth = 160;

export interface RewindBarOptions {
  readonly t: WatchTexts;
  readonly locale: string;
  /** @param behindSeconds distance to the end of the window; 0 means live. */
  readonly onSeek: (behindSeconds: number) => void;
  /** Query that authorizes data requests. */
  readonly query: () => URLSearchParams;
}

export class RewindBar {
  readonly root = element('div', 'rewind');
  readonly #options: RewindBarOptions;
  readonly #slider = element('input');
  readonly #clock = element('span', 'behind');
  readonly #live = element('button', 'to-live');
  readonly #preview = element('div', 'preview');
  readonly #picture = element('div', 'shot');
  readonly #moment = element('span');
  #rewind: WatchRewind | undefined;
  #cues: readonly StoryboardCue[] = [];
  #cuesAtMs = Number.NEGATIVE_INFINITY;
  #isMoving = false;
  /** Position of the preview image, seconds before the end. */
  #previewed = 0;

  constructor(options: RewindBarOptions) {
    const { t } = options;
    this.#options = options;
    Object.assign(this.#slider, { type: 'range', step: '1', max: '0', value: '0' });
    this.#slider.setAttribute('aria-label', t.rewind.slider);
    this.#live.type = 'button';
    this.#live.textContent = t.live;
    this.#live.setAttribute('aria-label', t.rewind.toLive);
    this.#preview.hidden = true;
    this.#preview.append(this.#picture, this.#moment);
    const track = element('div', 'track');
    track.append(this.#slider, this.#preview);
    this.root.append(track, this.#clock, this.#live);
    this.#listen();
  }

  /** @param heldSeconds length of the window at present. */
  offer(rewind: WatchRewind, heldSeconds: number): void {
    this.#rewind = rewind;
    const min = String(-Math.max(1, Math.floor(heldSeconds)));
    if (this.#slider.min !== min) this.#slider.min = min;
    this.show(this.behindSeconds);
  }

  get behindSeconds(): number {
    return -Number(this.#slider.value);
  }

  /** Shows the position of the video, unless the viewer is moving the slider. */
  show(behindSeconds: number): void {
    if (this.#isMoving) return;
    this.#slider.value = String(-Math.round(behindSeconds));
    this.#describe();
  }

  step(seconds: number): void {
    const behind = Math.min(-Number(this.#slider.min), Math.max(0, this.behindSeconds - seconds));
    this.#slider.value = String(-behind);
    this.#describe();
    this.#commit();
  }

  #listen(): void {
    const slider = this.#slider;
    slider.addEventListener('input', () => {
      this.#isMoving = true;
      this.#describe();
      this.#showPreview(this.behindSeconds);
    });
    slider.addEventListener('change', () => this.#commit());
    slider.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'touch' && !this.#isMoving) this.#showPreview(this.#behindAt(event.clientX));
    });
    for (const name of ['pointerleave', 'blur']) slider.addEventListener(name, () => this.#hidePreview());
    slider.addEventListener('keydown', (event) => {
      const step = keySteps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.step(step);
    });
    this.#live.addEventListener('click', () => {
      slider.value = '0';
      this.#commit();
    });
  }

  #commit(): void {
    this.#isMoving = false;
    this.#hidePreview();
    if (this.behindSeconds < nowSeconds) this.#slider.value = '0';
    this.#describe();
    this.#options.onSeek(this.behindSeconds);
  }

  #describe(): void {
    const { t, locale } = this.#options;
    const behind = this.behindSeconds;
    const isNow = behind === 0;
    this.#clock.textContent = isNow ? '' : `−${clockTime(behind)}`;
    this.#live.disabled = isNow;
    this.root.dataset.now = String(isNow);
    const share = 1 - behind / Math.max(1, -Number(this.#slider.min));
    this.root.style.setProperty('--share', `${share * 100}%`);
    const text = isNow ? t.live : t.rewind.behind(clockTime(behind), momentText(behind, locale));
    this.#slider.setAttribute('aria-valuetext', text);
  }

  #behindAt(clientX: number): number {
    const { left, width } = this.#slider.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
    return -Number(this.#slider.min) * (1 - share);
  }

  #showPreview(behindSeconds: number): void {
    this.#previewed = behindSeconds;
    this.#loadStoryboard();
    const cue = cueAt(this.#cues, behindSeconds);
    const share = 1 - behindSeconds / Math.max(1, -Number(this.#slider.min));
    this.#moment.textContent = momentText(behindSeconds, this.#options.locale);
    this.#preview.style.setProperty('--at', `${share * 100}%`);
    this.#preview.hidden = false;
    this.#picture.hidden = cue === undefined;
    if (cue) this.#draw(cue);
  }

  #draw({ url, part }: StoryboardCue): void {
    const { style } = this.#picture;
    style.backgroundImage = `url("${url}")`;
    style.width = `${part?.width ?? previewWidth}px`;
    style.height = `${part?.height ?? (previewWidth * 9) / 16}px`;
    style.backgroundSize = part ? 'auto' : 'contain';
    style.backgroundPosition = part ? `-${part.x}px -${part.y}px` : 'center';
  }

  #hidePreview(): void {
    this.#preview.hidden = true;
  }

  #loadStoryboard(): void {
    const thumbnails = this.#rewind?.thumbnails;
    if (!thumbnails || performance.now() - this.#cuesAtMs < storyboardMs) return;
    this.#cuesAtMs = performance.now();
    const url = new URL(onServer(thumbnails));
    for (const [name, value] of this.#options.query()) url.searchParams.set(name, value);
    fetch(url)
      .then((response) => (response.ok ? response.text() : ''))
      .then((text) => {
        this.#cues = parseStoryboard(text, url.href);
        if (!this.#preview.hidden) this.#showPreview(this.#previewed);
      })
      .catch(() => undefined);
  }
}

const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: -steps.arrow,
  ArrowRight: steps.arrow,
  PageDown: -steps.page,
  PageUp: steps.page,
};

/** Formats seconds as `1:02:03` or `2:03`. */
function clockTime(seconds: number): string {
  const whole = Math.round(seconds);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

function momentText(behindSeconds: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(Date.now() - behindSeconds * 1000);
}
