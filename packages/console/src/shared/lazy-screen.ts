// A screen whose code and texts load together when it is first opened, or are preloaded.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadTexts, type Namespace } from '../i18n/i18n.ts';

export type LazyScreen<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Fetches the code in advance; a failure is shown when the screen is opened. */
  preload: () => void;
};

export function lazyScreen<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  namespaces: readonly Namespace[],
): LazyScreen<Props> {
  const screen = lazy(async () => {
    const [module] = await Promise.all([load(), loadTexts(namespaces)]);
    return module;
  });
  return Object.assign(screen, { preload: () => void load().catch(() => {}) });
}
