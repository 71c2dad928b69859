// `/tools/xgplayer.html?url=`: the alternate player.
import './player.css';
import { createPlayerPage } from './player-page.ts';
import { type Engine, simpleEngine } from './stage-player.ts';

/** xgplayer supports neither HTTP-TS nor WebRTC, so these use the simple player. */
const xgplayerEngine: Engine = (frame, source, locale) => {
  if (source.kind === 'ts' || source.kind === 'whep') return simpleEngine(frame, source, locale);
  // Keeps the viewer's muted setting after a reconnect.
  let muted = true;
  return async (events) => {
    const { startXgplayerPlayback } = await import('./xgplayer-playback.ts');
    const playback = startXgplayerPlayback(frame, source, locale, muted, events);
    playback.video.addEventListener('volumechange', () => {
      muted = playback.video.muted;
    });
    return playback;
  };
};

const page = createPlayerPage(xgplayerEngine);
document.title = page.t.alternateTitle;
document.body.append(page.stage.root);
page.open(page.query.get('url') ?? '');
