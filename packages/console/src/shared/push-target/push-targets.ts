// Rules that forward and virtual live share: which item opens first, names of targets, keys of added ones. Pure.
import type { Locale, PushTarget } from '@srs-stack/contract';
import { builtInPlatforms } from '@srs-stack/contract/values/push-targets.ts';
import type { PlatformPreset } from './platform-preset.ts';
import { type BuiltInPlatform, platformPresets, presetOfServer } from './platform-presets.ts';

/** Value of the status item of the accordion. */
export const statusItem = '99';

type Targets = Readonly<Record<string, PushTarget>>;

export function isBuiltIn(platform: string): platform is BuiltInPlatform {
  return builtInPlatforms.some((key) => key === platform);
}

/** Item of the accordion: 1 to 3 for the built-in platforms, the key itself for an added one. */
export function itemOfPlatform(platform: string): string {
  const index = (builtInPlatforms as readonly string[]).indexOf(platform);
  return index < 0 ? platform : String(index + 1);
}

/**
 * The item that is open initially: the status if any target is enabled; otherwise the first of the three platforms that lacks its address
 * or key, or the third platform if none lacks them.
 */
export function defaultOpenItem(targets: Targets): string {
  if (Object.values(targets).some(({ enabled }) => enabled)) return statusItem;
  const isConfigured = (platform: BuiltInPlatform | undefined) => {
    const target = platform && targets[platform];
    return target !== undefined && target.server !== '' && target.secret !== '';
  };
  if (!isConfigured(builtInPlatforms[0])) return '1';
  return isConfigured(builtInPlatforms[1]) ? '3' : '2';
}

/** Added targets, in the order they were added: their keys start with the time. */
export function addedPlatforms(targets: Targets): string[] {
  return Object.keys(targets)
    .filter((platform) => !isBuiltIn(platform))
    .sort();
}

/** Rows in the order of the accordion: the platforms of the language, then added targets as they were added. */
export function inPageOrder<Row extends { platform: string }>(rows: readonly Row[]): Row[] {
  const builtIn = builtInPlatforms as readonly string[];
  const place = ({ platform }: Row) => (isBuiltIn(platform) ? builtIn.indexOf(platform) : builtIn.length);
  return [...rows].sort((a, b) => place(a) - place(b) || (a.platform < b.platform ? -1 : 1));
}

/** A unique key: `forwarding-` and the time to the millisecond in base 36, then four random digits. */
export function newPlatformKey(mark: string, nowMs: number, random: () => number = Math.random): string {
  const digits = Math.floor(random() * 36 ** 4).toString(36);
  return `${mark}${nowMs.toString(36)}-${digits.padStart(4, '0')}`;
}

/**
 * The preset for fields and help of a target: that of its platform, or for a custom target the one that matches its
 * address.
 */
export function presetOfTarget(
  target: { platform: string; server: string; custom: boolean },
  locale: Locale,
): PlatformPreset | undefined {
  if (isBuiltIn(target.platform) && !target.custom) return platformPresets(locale)[target.platform];
  return presetOfServer(target.server, locale);
}

/** The display name: the label, else the platform, else empty. */
export function targetName(target: { platform: string; label: string; custom: boolean }, locale: Locale): string {
  if (target.label.trim() !== '') return target.label.trim();
  return isBuiltIn(target.platform) && !target.custom ? platformPresets(locale)[target.platform].name : '';
}
