import { useLayoutEffect } from 'react';
import { endDrawnLogin } from './drawn-login.ts';

/** Removes the pre-rendered login page in the frame in which a screen appears. */
export function DrawnLoginEnds(): null {
  useLayoutEffect(endDrawnLogin, []);
  return null;
}
