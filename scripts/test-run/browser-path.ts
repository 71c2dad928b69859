// The browser the tests drive.
import { existsSync } from 'node:fs';

/** Chromium's engine without the windows, menus and pages of its own: it shows the same with half the work. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

/** `CHROMIUM`, or the shell, or Chromium as people use it where the shell is not installed. */
export const browserPath = process.env.CHROMIUM ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium');
