// Path of the browser that tests use.
import { existsSync } from 'node:fs';

/** Chromium without its user interface. It renders identically with half the CPU time. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

export const browserPath = process.env.CHROMIUM ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium');
