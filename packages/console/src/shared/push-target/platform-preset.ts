// One platform to send to: what the form fills in and explains.

export type PlatformLogo =
  | 'youtube'
  | 'twitch'
  | 'facebook'
  | 'channels'
  | 'bilibili'
  | 'kuaishou'
  | 'kick'
  | 'x'
  | 'instagram'
  | 'tiktok'
  | 'linkedin'
  | 'vimeo'
  | 'telegram'
  | 'other';

export interface PlatformPreset {
  logo: PlatformLogo;
  name: string;
  /** Empty if each account has its own server. */
  servers: readonly { name: string; url: string }[];
  /** Whether the form of a new target is prefilled with the first server. */
  isPrefilled: boolean;
  /** Endings of the host names of its servers, to recognise an address. */
  hosts: readonly string[];
  /** Where to find address and key: the page of the platform, and the menu path. */
  keyPage: string;
  keySteps: readonly string[];
  /** Text that a test appends to the stream key, so that nothing goes on air. Absent if the platform starts the broadcast anyway. */
  harmlessTest?: { keySuffix: string };
}
