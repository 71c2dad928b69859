// Plays a recording or a range of a rewind window, which are HLS playlists with an end.

export interface PlayHlsOptions {
  /** Starts at the first frame instead of the playlist's start position. */
  readonly fromStart?: boolean;
  /** Called if loading the playlist or playback fails. */
  readonly onFailure: () => void;
}

/** Starts playback. The library is loaded on first use. Returns the function that ends playback, to be called once. */
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
