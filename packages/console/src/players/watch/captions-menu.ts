// Menu of the captions in the stream: CEA-608, CEA-708, or HLS subtitles.
import { element } from '../player-stage.ts';
import type { WatchTexts } from './watch-texts.ts';

export interface CaptionsMenu {
  readonly root: HTMLElement;
  /** Shows the text tracks of this element. A selected language also applies to later elements. */
  follow(video: HTMLVideoElement): void;
}

export function createCaptionsMenu(t: WatchTexts): CaptionsMenu {
  const root = element('label', 'choice', t.captions);
  const select = element('select');
  const off = element('option', '', t.captionsOff);
  let followed: HTMLVideoElement | undefined;
  let wanted = '';
  off.value = '';
  root.append(select);
  root.hidden = true;
  const tracks = (): TextTrack[] =>
    [...(followed?.textTracks ?? [])].filter(({ kind }) => kind === 'captions' || kind === 'subtitles');
  const nameOf = (track: TextTrack): string => track.label || track.language || t.captions;
  const apply = (): void => {
    for (const track of tracks()) track.mode = nameOf(track) === wanted ? 'showing' : 'hidden';
  };
  const refresh = (): void => {
    const names = [...new Set(tracks().map(nameOf))];
    const options = names.map((name) => {
      const option = element('option', '', name);
      option.value = name;
      return option;
    });
    select.replaceChildren(off, ...options);
    select.value = names.includes(wanted) ? wanted : '';
    root.hidden = names.length === 0;
    if (wanted !== '') apply();
  };
  select.addEventListener('change', () => {
    wanted = select.value;
    apply();
  });
  return {
    root,
    follow: (video) => {
      followed = video;
      for (const name of ['addtrack', 'removetrack']) {
        video.textTracks.addEventListener(name, () => {
          if (followed === video) refresh();
        });
      }
      refresh();
    },
  };
}
