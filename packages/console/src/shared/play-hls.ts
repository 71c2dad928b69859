// Plays an HLS playlist that is not live in a video element of a page: the recorded part, or a range of a rewind window.

export interface PlayHlsOptions {
  /** From its first frame, whatever start position the playlist contains. */
  readonly fromStart?: boolean;
  /** It cannot be played, or not any more. */
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
