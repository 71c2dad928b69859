// A platform to send to, with the form values and help texts for its targets.

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
  /** Whether a new target starts with the first server. */
  isPrefilled: boolean;
  /** Suffixes of host names that identify the platform. */
  hosts: readonly string[];
  /** Page and menu path where the operator finds server and key. */
  keyPage: string;
  keySteps: readonly string[];
  /** Suffix of the stream key that keeps a test off the air. Absent if the platform has none. */
  harmlessTest?: { keySuffix: string };
}
