// Order, names and keys of targets in the accordions of forward and virtual live. Pure.
import type { Locale, PushTarget } from '@srs-stack/contract';
import { builtInPlatforms } from '@srs-stack/contract/values/push-targets.ts';
import type { PlatformPreset } from './platform-preset.ts';
import { type BuiltInPlatform, platformPresets, presetOfServer } from './platform-presets.ts';

/** Accordion item of the status table. */
export const statusItem = '99';

type Targets = Readonly<Record<string, PushTarget>>;

export function isBuiltIn(platform: string): platform is BuiltInPlatform {
  return builtInPlatforms.some((key) => key === platform);
}

/** Accordion item: 1 to 3 for built-in platforms, the key for added targets. */
export function itemOfPlatform(platform: string): string {
  const index = (builtInPlatforms as readonly string[]).indexOf(platform);
  return index < 0 ? platform : String(index + 1);
}

/**
 * Initially open item: the status table if a target is enabled, else the first built-in platform that lacks its address or key. If all
 * built-in platforms have both, the last one is open.
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

/** Keys of added targets, oldest first. After its prefix, a key contains its creation time. */
export function addedPlatforms(targets: Targets): string[] {
  return Object.keys(targets)
    .filter((platform) => !isBuiltIn(platform))
    .sort();
}

/** Rows in accordion order: built-in platforms, then added targets by age. */
export function inPageOrder<Row extends { platform: string }>(rows: readonly Row[]): Row[] {
  const builtIn = builtInPlatforms as readonly string[];
  const place = ({ platform }: Row) => (isBuiltIn(platform) ? builtIn.indexOf(platform) : builtIn.length);
  return [...rows].sort((a, b) => place(a) - place(b) || (a.platform < b.platform ? -1 : 1));
}

/** A unique key: `mark`, the time in milliseconds in base 36, and four random digits. */
export function newPlatformKey(mark: string, nowMs: number, random: () => number = Math.random): string {
  const digits = Math.floor(random() * 36 ** 4).toString(36);
  return `${mark}${nowMs.toString(36)}-${digits.padStart(4, '0')}`;
}

/** Preset of the target's platform. For a custom target, the preset that matches the address. */
export function presetOfTarget(
  target: { platform: string; server: string; custom: boolean },
  locale: Locale,
): PlatformPreset | undefined {
  if (isBuiltIn(target.platform) && !target.custom) return platformPresets(locale)[target.platform];
  return presetOfServer(target.server, locale);
}

/** Display name: label, else platform, else ''. */
export function targetName(target: { platform: string; label: string; custom: boolean }, locale: Locale): string {
  if (target.label.trim() !== '') return target.label.trim();
  return isBuiltIn(target.platform) && !target.custom ? platformPresets(locale)[target.platform].name : '';
}
