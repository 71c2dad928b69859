// The SRT walkthroughs of each language, in display order.
import type { ByLocale } from '../../i18n/of-locale.ts';

const walkthroughs = ['vmix', 'obs', 'encoder'] as const;
export type Walkthrough = (typeof walkthroughs)[number];

/** Hardware encoders with a web page for configuration are common only in China. */
export const walkthroughsOf: ByLocale<readonly Walkthrough[]> = {
  zh: ['vmix', 'obs', 'encoder'],
  en: ['vmix', 'obs'],
};

/** Text keys of the steps. */
export const stepsOf = {
  vmix: ['open', 'type', 'fill', 'start'],
  obs: ['service', 'paste', 'keyframe', 'start'],
  encoder: ['network', 'open', 'fill', 'encode', 'start'],
} as const satisfies Record<Walkthrough, readonly string[]>;
