import type { PublishState } from '../webrtc/publish-state.ts';

export type GuestSentence =
  | Exclude<PublishState['name'], 'live'>
  | 'live'
  /** On the air without audio, without video, or without both. */
  | 'muted'
  | 'hidden'
  | 'silent';

export interface SentMedia {
  readonly isMuted: boolean;
  readonly isHidden: boolean;
}

export function guestSentence(state: PublishState['name'], { isMuted, isHidden }: SentMedia): GuestSentence {
  if (state !== 'live') return state;
  if (isMuted && isHidden) return 'silent';
  if (isMuted) return 'muted';
  return isHidden ? 'hidden' : 'live';
}
