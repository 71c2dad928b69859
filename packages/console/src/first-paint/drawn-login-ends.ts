// Removes the pre-rendered login page; used by every screen that may be the first.
import { useLayoutEffect } from 'react';
import { endDrawnLogin } from './drawn-login.ts';

/** Removes the pre-rendered page in the frame in which the screen appears. */
export function DrawnLoginEnds(): null {
  useLayoutEffect(endDrawnLogin, []);
  return null;
}
