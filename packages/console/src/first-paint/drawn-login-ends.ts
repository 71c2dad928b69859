import { useLayoutEffect } from 'react';
import { endDrawnLogin } from './drawn-login.ts';

/** Removes the pre-rendered login page before the browser paints the first screen. */
export function DrawnLoginEnds(): null {
  useLayoutEffect(endDrawnLogin, []);
  return null;
}
