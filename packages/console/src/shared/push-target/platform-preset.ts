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
  /** Default while nothing was saved. */
  isPrefilled: boolean;
  /** Endings of the host names of its servers, to recognise an address. */
  hosts: readonly string[];
  /** How to find address and key: page of the platform, and the way there. */
  keyPage: string;
  keySteps: readonly string[];
  /** A test may publish, with this behind the key: nothing goes on air. Absent where publishing starts the broadcast. */
  harmlessTest?: { keySuffix: string };
}
