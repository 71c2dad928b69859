/** Level at which the bar is empty, dBFS. */
const floorDb = -60;
/** Level above which the audio may soon clip, dBFS. */
const hotDb = -6;
/** Update interval of the value for screen readers, milliseconds. */
const announceMs = 1_000;

export interface LevelMeter {
  readonly root: HTMLElement;
  follow(stream: MediaStream | undefined): void;
}

/** Filled share of the bar, 0 to 1. @param samples values between -1 and 1. */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const db = 10 * Math.log10(sum / Math.max(1, samples.length) || Number.MIN_VALUE);
  return Math.min(1, Math.max(0, 1 - db / floorDb));
}

export function createLevelMeter(label: string): LevelMeter {
  const root = document.createElement('div');
  root.className = 'level';
  root.setAttribute('role', 'meter');
  root.setAttribute('aria-label', label);
  root.setAttribute('aria-valuemin', '0');
  root.setAttribute('aria-valuemax', '100');
  const bar = root.appendChild(document.createElement('span'));
  bar.className = 'bar';
  let stop = (): void => {};
  const show = (level: number): void => {
    bar.style.transform = `scaleX(${level.toFixed(3)})`;
    root.dataset.hot = String(level > 1 - hotDb / floorDb);
  };
  const announce = (level: number): void => root.setAttribute('aria-valuenow', String(Math.round(level * 100)));
  return {
    root,
    follow: (stream) => {
      stop();
      stop = () => {};
      show(0);
      announce(0);
      if (stream && stream.getAudioTracks().length > 0) stop = measure(stream, show, announce);
    },
  };
}

function measure(stream: MediaStream, show: (level: number) => void, announce: (level: number) => void): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let announcedMs = 0;
  let frame = 0;
  const next = (nowMs: number): void => {
    frame = requestAnimationFrame(next);
    analyser.getFloatTimeDomainData(samples);
    const level = levelOf(samples);
    show(level);
    if (nowMs - announcedMs < announceMs) return;
    announcedMs = nowMs;
    announce(level);
  };
  // Browsers allow audio processing only after a user gesture.
  const resume = (): void => void context.resume().catch(() => {});
  document.addEventListener('pointerdown', resume);
  frame = requestAnimationFrame(next);
  return () => {
    cancelAnimationFrame(frame);
    document.removeEventListener('pointerdown', resume);
    void context.close();
  };
}
