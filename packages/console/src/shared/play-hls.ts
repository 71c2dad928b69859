// Plays an HLS playlist that is not live in a video element: a recording, or a range of a rewind window.

export interface PlayHlsOptions {
  /** Starts at the first frame and ignores the start position in the playlist. */
  readonly fromStart?: boolean;
  /** Called when the playlist cannot be played, or when playback fails later. */
  readonly onFailure: () => void;
}

/** Starts loading; the library is fetched on first use. Returns a function that ends it; call it once. */
export function playHls(video: HTMLVideoElement, url: string, { fromStart = false, onFailure }: PlayHlsOptions) {
  let hasStopped = false;
  let stop = () => unload(video);
  const begin = async () => {
    const { default: Hls } = await import('hls.js');
    if (hasStopped) return;
    if (!Hls.isSupported()) {
      video.src = url;
      return;
    }
    const hls = new Hls(fromStart ? { startPosition: 0 } : {});
    stop = () => hls.destroy();
    hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && onFailure());
    hls.loadSource(url);
    hls.attachMedia(video);
  };
  begin().catch(onFailure);
  return () => {
    hasStopped = true;
    stop();
  };
}

export function unload(video: HTMLVideoElement): void {
  video.removeAttribute('src');
  video.load();
}
