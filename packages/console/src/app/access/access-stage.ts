// Computes the reachable screens from the server's init state and the stored token. Pure.
import type { Screen } from '../../navigation/paths.ts';

export type AccessStage = 'uninitialised' | 'signed-out' | 'signed-in';

export function accessStage(isInitialised: boolean, hasToken: boolean): AccessStage {
  if (!isInitialised) return 'uninitialised';
  return hasToken ? 'signed-in' : 'signed-out';
}

const signedInScreens: readonly Screen[] = [
  'login',
  'scenario',
  'settings',
  'contact',
  'components',
  'dashboard',
  'streams',
  'rooms',
  'logout',
];

/** The screen for the requested path. A screen that the stage does not allow is replaced by the setup or login screen. */
export function screenOfStage(stage: AccessStage, requested: Screen | undefined): Screen {
  if (stage === 'uninitialised') return 'setup';
  if (stage === 'signed-out') return 'login';
  return requested && signedInScreens.includes(requested) ? requested : 'login';
}

/** Screens that the navigation links to. */
export function navigationOfStage(stage: AccessStage): readonly Screen[] {
  if (stage === 'uninitialised') return [];
  if (stage === 'signed-out') return ['login'];
  return ['scenario', 'settings', 'components', 'contact', 'logout'];
}

/** Additional links of the navigation, to screens that other pages also link to. */
export const furtherLinks: readonly Screen[] = ['rooms', 'dashboard'];
