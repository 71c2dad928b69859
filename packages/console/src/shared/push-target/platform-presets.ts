// Finds platforms in `platform-list.ts`. The meaning of the three built-in keys depends on the language.
import type { Locale } from '@srs-stack/contract';
import { builtInPlatforms } from '@srs-stack/contract/values/push-targets.ts';
import { type ByLocale, ofLocale } from '../../i18n/of-locale.ts';
import { chinesePlatforms, englishPlatforms } from './platform-list.ts';
import type { PlatformPreset } from './platform-preset.ts';

export type BuiltInPlatform = (typeof builtInPlatforms)[number];
const presets = { en: englishPlatforms, zh: chinesePlatforms } satisfies ByLocale<readonly PlatformPreset[]>;

/** All platforms of a language, starting with the built-in platforms. */
export function allPresets(locale: Locale): readonly PlatformPreset[] {
  return ofLocale(presets, locale);
}

/** Built-in platforms of a language by key. */
export function platformPresets(locale: Locale): Record<BuiltInPlatform, PlatformPreset> {
  const all = allPresets(locale);
  return Object.fromEntries(builtInPlatforms.map((key, index) => [key, all[index]])) as Record<
    BuiltInPlatform,
    PlatformPreset
  >;
}

/**
 * The platform of a server address in any language; undefined if unknown. The longest matching suffix applies, because platforms share
 * providers.
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
