// A screen that loads its code and texts when first opened. `preload` loads only the code.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadTexts, type Namespace } from '../i18n/i18n.ts';

export type LazyScreen<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Loads the code in advance. A failure appears only when the screen opens. */
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
