// Selects the playback engine for a source. Each engine is a separate chunk, loaded on first use.
import { measured } from './measure/measured-playback.ts';
import type { MediaSource } from './media-url.ts';
import type { StartPlayback } from './playback.ts';

/** Returns the playback of `source` in `video`, with measurement if enabled. */
export function simplePlayback(video: HTMLVideoElement, source: MediaSource): StartPlayback {
  return measured(video, source, async (events) => {
    if (source.kind === 'whep')
      return (await import('./webrtc/whep-playback.ts')).startWhepPlayback(video, source, events);
    if (source.kind === 'hls') return (await import('./hls-playback.ts')).startHlsPlayback(video, source, events);
    return (await import('./mpegts-playback.ts')).startMpegtsPlayback(video, source, events);
  });
}
