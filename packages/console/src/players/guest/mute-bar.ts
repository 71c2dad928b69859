// Mute buttons for microphone and camera. A muted device stays muted when another device is selected.
import { element } from '../player-stage.ts';
import type { SentMedia } from './guest-sentence.ts';
import type { GuestTexts } from './guest-texts.ts';

export interface MuteBar {
  readonly root: HTMLElement;
  /** Applies the state of the buttons to the tracks of this stream, now and later. */
  follow(stream: MediaStream | undefined): void;
  sent(): SentMedia;
}

export function createMuteBar(t: GuestTexts, onChange: () => void): MuteBar {
  const root = element('div', 'mute-bar');
  let stream: MediaStream | undefined;
  const microphone = createToggle(t.mute, t.unmute, () => apply());
  const camera = createToggle(t.hide, t.show, () => apply());
  root.append(microphone.root, camera.root);
  const apply = (): void => {
    const [audio, video] = [stream?.getAudioTracks() ?? [], stream?.getVideoTracks() ?? []];
    for (const track of audio) track.enabled = !microphone.isOff();
    for (const track of video) track.enabled = !camera.isOff();
    microphone.root.hidden = audio.length === 0;
    camera.root.hidden = video.length === 0;
    root.hidden = audio.length + video.length === 0;
    onChange();
  };
  const hasNone = (tracks: readonly MediaStreamTrack[] | undefined) => (tracks?.length ?? 0) === 0;
  return {
    root,
    follow: (next) => {
      stream = next;
      apply();
    },
    sent: () => ({
      isMuted: microphone.isOff() || hasNone(stream?.getAudioTracks()),
      isHidden: camera.isOff() || hasNone(stream?.getVideoTracks()),
    }),
  };
}

function createToggle(turnOff: string, turnOn: string, onChange: () => void) {
  const root = element('button', 'toggle', turnOff);
  root.type = 'button';
  let isOff = false;
  root.setAttribute('aria-pressed', 'false');
  root.addEventListener('click', () => {
    isOff = !isOff;
    root.setAttribute('aria-pressed', String(isOff));
    root.textContent = isOff ? turnOn : turnOff;
    onChange();
  });
  return { root, isOff: () => isOff };
}
