// Path of the browser that tests use.
import { existsSync } from 'node:fs';

/** Chromium's engine without its own user interface: it renders the same with half the CPU time. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

/** `CHROMIUM`, or else the headless shell, or else regular Chromium. */
export const browserPath = process.env.CHROMIUM ?? (existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium');
