// Path of the browser that tests use.
import { existsSync } from 'node:fs';

/** Chromium without its user interface. It renders identically with half the CPU time. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

/** The value of `CHROMIUM`, else the headless shell if installed, else regular Chromium. */
export const browserPath = process.env.CHROMIUM ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium');
