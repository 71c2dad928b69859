// The guides to SRT, as data: which guides a region shows, in which order.
import type { ByLocale } from '../../i18n/of-locale.ts';

const walkthroughs = ['vmix', 'obs', 'encoder'] as const;
export type Walkthrough = (typeof walkthroughs)[number];

/** Hardware encoders configured on a web page are common in one region only. */
export const walkthroughsOf: ByLocale<readonly Walkthrough[]> = {
  zh: ['vmix', 'obs', 'encoder'],
  en: ['vmix', 'obs'],
};

/** Steps of each walkthrough, in order: keys of its texts. */
export const stepsOf = {
  vmix: ['open', 'type', 'fill', 'start'],
  obs: ['service', 'paste', 'keyframe', 'start'],
  encoder: ['network', 'open', 'fill', 'encode', 'start'],
} as const satisfies Record<Walkthrough, readonly string[]>;
