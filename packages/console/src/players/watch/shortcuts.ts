// Keyboard control of the watch page: space or k, m, f, and arrow keys. Up and down move the focus between the video and the controls,
// because TV remotes have no Tab key. Left and right seek, or move the focus from one control to another.

export interface KeyedPlayer {
  readonly video: () => HTMLVideoElement | null;
  /** The element shown in full screen. */
  readonly screen: () => HTMLElement | null;
  /** Seeks forward by seconds, or back if negative. Returns false if seeking is impossible. */
  readonly seek: (seconds: number) => boolean;
  /** Controls below the video, in display order. */
  readonly controls: () => HTMLElement[];
}

/** Step of an arrow key, seconds. */
const seekSeconds = 10;
const directions: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Handles keys while the page is open, except keys typed into fields. */
export function listenToKeys(player: KeyedPlayer): void {
  document.addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const isTyped = target?.closest('input:not([type="range"]), textarea, dialog, .password') != null;
    if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    const control = target?.closest<HTMLElement>(
      '.bar :is(button, select), .rewind :is(input, button), .picture button',
    );
    if (control ? moveFrom(control, event, player) : press(event, player)) event.preventDefault();
  });
}

/** Moves the focus to the next or previous control. The focused control handles all other keys. */
function moveFrom(control: HTMLElement, { key }: KeyboardEvent, { controls, video }: KeyedPlayer): boolean {
  const all = controls();
  const direction = directions[key];
  if (direction !== undefined) {
    all[all.indexOf(control) + direction]?.focus();
    return true;
  }
  if (key !== 'ArrowUp' || control instanceof HTMLSelectElement) return false;
  video()?.focus();
  return true;
}

/** Handles a key. Returns false if the key has no action. */
function press({ key, target }: KeyboardEvent, { video, screen, seek, controls }: KeyedPlayer): boolean {
  const element = video();
  const direction = directions[key];
  if (key === 'ArrowDown') controls()[0]?.focus();
  else if (direction !== undefined) return seek(direction * seekSeconds);
  else if (!element || (target instanceof HTMLVideoElement && key === ' ')) return false;
  else if (key === ' ' || key === 'k' || key === 'MediaPlayPause') {
    if (element.paused) element.play().catch(() => {});
    else element.pause();
  } else if (key === 'm') element.muted = !element.muted;
  else if (key === 'f') toggleFullscreen(screen() ?? element);
  else return false;
  return true;
}

function toggleFullscreen(element: HTMLElement): void {
  const change = document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen?.();
  change?.catch(() => {});
}
