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
  /** Empty where each account has its own. */
  servers: readonly { name: string; url: string }[];
  /** Default until something is saved. */
  isPrefilled: boolean;
  /** Endings of the host names of its servers, to recognise an address. */
  hosts: readonly string[];
  /** Where to find address and key: the page of the platform, and the menu path. */
  keyPage: string;
  keySteps: readonly string[];
  /** A test may publish with this text appended to the key: nothing goes on air. Absent where publishing starts the broadcast. */
  harmlessTest?: { keySuffix: string };
}
