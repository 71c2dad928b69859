// Common names of codecs, from the codec strings of browsers and containers (RFC 6381).

const names: readonly (readonly [RegExp, string])[] = [
  [/^(avc|h\.?264)/i, 'H.264'],
  [/^(hvc1|hev1|hevc|h\.?265)/i, 'HEVC'],
  [/^av0?1/i, 'AV1'],
  [/^vp0?9/i, 'VP9'],
  [/^vp0?8/i, 'VP8'],
  [/^(mp3$|mp4a\.(40\.3[34]|69|6b))/i, 'MP3'],
  [/^mp4a\.40\.(5|29)$/i, 'HE-AAC'],
  [/^mp4a\.40\.2$/i, 'AAC-LC'],
  [/^(mp4a|aac)/i, 'AAC'],
  [/^opus/i, 'Opus'],
  [/^ac-?3/i, 'AC-3'],
  [/^(ec|e-?ac)-?3/i, 'E-AC-3'],
  [/^flac/i, 'FLAC'],
];

const h264Profiles: Readonly<Record<string, string>> = {
  '42': 'Baseline',
  '4d': 'Main',
  '58': 'Extended',
  '64': 'High',
  '6e': 'High 10',
  '7a': 'High 4:2:2',
  f4: 'High 4:4:4',
};

/** `avc1.64001f` → `H.264 High`; unknown codecs stay unchanged. */
export function codecName(codec: string): string {
  const name = names.find(([pattern]) => pattern.test(codec))?.[1] ?? codec;
  const profile = /^avc[13]\.([0-9a-f]{2})/i.exec(codec)?.[1]?.toLowerCase();
  const profileName = profile === undefined ? undefined : h264Profiles[profile];
  return profileName === undefined ? name : `${name} ${profileName}`;
}

/** Adds the profile to AAC: `AAC` and `LC` → `AAC-LC`, `HE-AAC` → `HE-AAC`. */
export function audioCodecName({ codec, profile }: { codec: string; profile: string }): string {
  const name = codecName(codec);
  if (name !== 'AAC' || profile === '') return name;
  return profile.includes('AAC') ? profile : `AAC-${profile}`;
}

/** Finds the codec in a browser's error message, e.g. `The type provided ('video/mp4;codecs=hvc1.1.6') is unsupported.` */
export function codecInMessage(message: string): string | undefined {
  return /codecs="?([a-z0-9.-]+)/i.exec(message)?.[1];
}
