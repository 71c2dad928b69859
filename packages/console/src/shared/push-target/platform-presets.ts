// Access to the platforms of `platform-list.ts`. The three built-in keys mean different platforms in other languages.
import type { Locale } from '@srs-stack/contract';
import { builtInPlatforms } from '@srs-stack/contract/values/push-targets.ts';
import { type ByLocale, ofLocale } from '../../i18n/of-locale.ts';
import { chinesePlatforms, englishPlatforms } from './platform-list.ts';
import type { PlatformPreset } from './platform-preset.ts';

export type BuiltInPlatform = (typeof builtInPlatforms)[number];
const presets = { en: englishPlatforms, zh: chinesePlatforms } satisfies ByLocale<readonly PlatformPreset[]>;

/** All platforms of a language; the built-in ones come first, in the order of their keys. */
export function allPresets(locale: Locale): readonly PlatformPreset[] {
  return ofLocale(presets, locale);
}

/** The platforms of a language by their internal key. */
export function platformPresets(locale: Locale): Record<BuiltInPlatform, PlatformPreset> {
  const all = allPresets(locale);
  return Object.fromEntries(builtInPlatforms.map((key, index) => [key, all[index]])) as Record<
    BuiltInPlatform,
    PlatformPreset
  >;
}

/**
 * The platform that an address belongs to, in any language; undefined for other servers. The longest matching suffix applies, because
 * several platforms use the servers of one provider.
 */
export function presetOfServer(server: string, locale: Locale): PlatformPreset | undefined {
  const host = /^[a-z]+:\/\/([^/:?#]+)/i.exec(server.trim())?.[1]?.toLowerCase();
  if (host === undefined) return undefined;
  let found: { preset: PlatformPreset; length: number } | undefined;
  for (const preset of [...allPresets(locale), ...Object.values(presets).flat()]) {
    for (const ending of preset.hosts) {
      const isOurs = host === ending || host.endsWith(`.${ending}`);
      if (isOurs && ending.length > (found?.length ?? 0)) found = { preset, length: ending.length };
    }
  }
  return found?.preset;
}
