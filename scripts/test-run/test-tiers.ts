// Assigns test files to `npm test` or to `npm run test:rest`. Used by `vitest.config.ts` and checked against the testing guide.
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tier } from './run-report.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

/**
 * End-to-end files of `npm test`: each main path once, about four minutes on two slow cores. Adding a file requires removing another file.
 * All other files `e2e/*.test.ts` are in `npm run test:rest`.
 */
export const coreEndToEnd: readonly string[] = [
  'banner',
  'callbacks',
  'console',
  'console-budget',
  'first-run',
  'forward',
  'live-rooms',
  'matrix',
  'record',
  'stop',
].map((name) => `e2e/${name}.test.ts`);

/** Files in both tiers. `npm test` runs a part of each; `npm run test:rest` runs the other part or everything (`e2e/support/length.ts`). */
export const inBothTiers: readonly string[] = ['console', 'forward', 'matrix', 'record', 'stop'].map(
  (name) => `e2e/${name}.test.ts`,
);

/**
 * Unit and console test files that run only in `npm run test:rest`. Each takes more than ten seconds on a slow machine, because of
 * encoders, servers, browsers or timers.
 */
export const behindQuick: readonly string[] = [
  'fuzz/fuzz.test.ts',
  ...[
    'i18n/pseudo-locale.test.tsx',
    'app/palette/palette.test.tsx',
    'shared/clips/clip-button.test.tsx',
    'features/cameras/cameras-page.test.tsx',
    'features/cloud-recording/cloud-recording-page.test.tsx',
    'features/settings/hooks/hooks-page.test.tsx',
    'features/settings/certificates/certificates-page.test.tsx',
    'features/settings/hls-settings/hls-settings-page.test.tsx',
    'features/settings/limits/limits-page.test.tsx',
    'features/settings/openapi/openapi-page.test.tsx',
    'features/settings/slates/slates-page.test.tsx',
    'features/settings/platform/platform-page.test.tsx',
    'features/srt-guide/srt-guide-page.test.tsx',
    'features/settings/object-storage/object-storage-page.test.tsx',
    'features/settings/publish-secret/publish-secret-page.test.tsx',
    'features/settings/platform/upgrades/upgrade-panel.test.tsx',
    'features/tutorials/tutorials-page.test.tsx',
    'features/live/live-page.test.tsx',
    'features/forwards/forwards-many.test.tsx',
    'features/forwards/forwards-page.test.tsx',
    'features/records/records-page.test.tsx',
    'features/vlives/vlives-page.test.tsx',
    'features/transcode/transcode-page.test.tsx',
  ].map((path) => `packages/console/src/${path}`),
  ...[
    'bridge-ffmpeg',
    'channel',
    'channel-live',
    'fmp4-ffmpeg',
    'hls-output',
    'low-latency-hls',
    'pull-camera',
    'pull-demand',
    'pull-failures',
    'pull-hls',
    'pull-srt',
    'pull-ts-udp',
    'pull-udp',
    'push-bad-targets',
    'push-delay',
    'push-srt',
    'rtmp-refusal',
    'rtmp-unusual-video',
    'rtsp-ffmpeg',
    'rtsp-patience',
    'simulcast.browser',
    'srt',
    'webrtc.browser',
  ].map((name) => `packages/engine/test/${name}.test.ts`),
  ...['held-open', 'nodes'].map((name) => `packages/gateway/test/${name}.test.ts`),
  'packages/platform/src/nodes/node-calls.test.ts',
  'packages/platform/src/store/redis/redis-changes.test.ts',
  'packages/platform/src/tasks/channels/prepare-file.test.ts',
  'packages/platform/src/tasks/onvif/onvif.test.ts',
  'packages/platform/src/tasks/transcode/watermarks.test.ts',
  'packages/platform/src/workers/ffprobe.test.ts',
  'packages/platform/src/tasks/slates/encode-slate.test.ts',
  'packages/platform/src/tasks/slates/slates.test.ts',
  'packages/platform/src/workers/worker-registry.test.ts',
  ...[
    'cameras',
    'certificates',
    'cloud-recording',
    'cluster',
    'cluster-workers',
    'crash',
    'monitor',
    'move-store',
    'object-storage',
    'record-bad-input',
    'record-labels',
    'record-late-tracks',
    'record-life',
    'record-plan',
    'record-split',
    'records',
    'store-away',
    'vlive-files',
    'vlives',
  ].map((name) => `packages/platform/test/${name}.test.ts`),
  'packages/srt/test/interop.test.ts',
  'scripts/release/release-steps.test.ts',
  'packages/stack/src/upgrade/run-releases.test.ts',
  'packages/stack/src/upgrade/upgrade-requests.test.ts',
  'packages/stack/src/upgrade/upgrade-worker.test.ts',
];

/** Files of a test run: a tier, or (as under `npx vitest`) every file except `.long` files. */
export type Selection = Tier | 'any';

/** Returns the selection in the environment variable `TEST_TIER`. */
export function selectionOf({ TEST_TIER } = process.env): Selection {
  return TEST_TIER === 'quick' || TEST_TIER === 'rest' ? TEST_TIER : 'any';
}

/** Returns the tiers that run a test file. @param path relative to the checkout. */
export function tiersOf(path: string): readonly Tier[] {
  if (inBothTiers.includes(path)) return ['quick', 'rest'];
  if (isLong(path) || behindQuick.includes(path)) return ['rest'];
  const isProduct = /^e2e\/[^/]+$/.test(path);
  return isProduct && !coreEndToEnd.includes(path) ? ['rest'] : ['quick'];
}

/** Returns the test files of a selection, relative to the checkout. @param patterns of `globSync`. */
export function selectedFiles(patterns: readonly string[], selection: Selection = selectionOf()): string[] {
  const isSelected = (path: string) => (selection === 'any' ? !isLong(path) : tiersOf(path).includes(selection));
  return globSync(patterns, { cwd: checkout, exclude: ['**/node_modules'] })
    .filter(isSelected)
    .sort();
}

export const unitPatterns = ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts', 'fuzz/*.test.ts'];
export const endToEndPatterns = ['e2e/**/*.test.ts'];
export const consolePatterns = ['packages/console/src/**/*.test.{ts,tsx}'];

/** Returns all files that `npm test` does not run. */
export function filesBehindQuick(): string[] {
  const all = selectedFiles([...unitPatterns, ...endToEndPatterns, ...consolePatterns], 'rest');
  return all.filter((path) => !tiersOf(path).includes('quick'));
}

const isLong = (path: string) => /\.long\.test\.tsx?$/.test(path);
