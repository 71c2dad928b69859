// Writes `config/srs.vhost.conf`, which contains the media server settings that the console can change.
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import type { HlsSettings } from './hls-settings.ts';

/** Length of segments and playlist, seconds. Two-second segments start quickly and are long enough for caches. */
const normalTiming = { fragment: 2, window: 30 };
/**
 * `hls_aof_ratio` of the built-in engine: duration of audio-only segments in units of `fragment`. The ratio does not affect video, which
 * the engine cuts only at keyframes.
 */
const embeddedAofRatio = 2.1;
/**
 * Without a keyframe for this long, an SRS cuts inside a GOP, seconds. Encoders send a keyframe at least every ten seconds. Audio-only
 * segments have this length.
 */
const srsLongestSegment = 30;
/** Low latency: one-second segments, about 3 s behind live. The encoder must send a keyframe every second. */
const lowLatencyTiming = { fragment: 1, window: 10 };
const readableByAll = 0o644;

export interface VhostConfig {
  write(settings: HlsSettings & { readonly isEnabled?: boolean }): Promise<boolean>;
}

/**
 * Creates the writer of the file. `hlsPath` is the absolute folder of playlists. Throws StartRefusal when SRS's syntax cannot represent
 * `hlsPath`.
 */
export function createVhostConfig(path: string, hlsPath: string, engine: 'embedded' | 'srs' = 'embedded'): VhostConfig {
  const hlsPathText = quoted(hlsPath);
  return {
    async write(settings) {
      const text = vhostConfigText(settings, hlsPathText, engine);
      const before = await readFile(path, 'utf8').catch(() => '');
      if (before === text) return false;
      await writeFileAtomically(path, text, readableByAll);
      return true;
    },
  };
}

/** The `hls` block. @param hlsPathText result of `quoted`. */
export function vhostConfigText(
  settings: HlsSettings & { readonly isEnabled?: boolean },
  hlsPathText: string,
  engine: 'embedded' | 'srs',
): string {
  const { fragment, window } = settings.hlsLowLatency ? lowLatencyTiming : normalTiming;
  const contexts = settings.noHlsCtx ? ['hls_ctx off;', 'hls_ts_ctx off;'] : [];
  // Only for the built-in engine, because an SRS refuses unknown directives.
  const parts = settings.hlsLowLatency && engine === 'embedded' ? ['hls_low_latency on;'] : [];
  const lines = [
    `enabled ${settings.isEnabled === false ? 'off' : 'on'};`,
    `hls_fragment ${fragment};`,
    `hls_window ${window};`,
    `hls_aof_ratio ${engine === 'srs' ? srsLongestSegment / fragment : embeddedAofRatio};`,
    `hls_path ${hlsPathText};`,
    'hls_m3u8_file [app]/[stream].m3u8;',
    'hls_ts_file [app]/[stream]-[seq]-[timestamp].ts;',
    'hls_wait_keyframe on;',
    'hls_dispose 15;',
    ...contexts,
    ...parts,
  ];
  return `# Written by SRS Stack when a setting changes; edits are lost.\nhls {\n${lines.map((line) => `    ${line}\n`).join('')}}\n`;
}

/**
 * Quotes a value for an SRS configuration, where white space, `;` and braces end an unquoted value. Throws for a value with quotes,
 * backslashes or control characters.
 */
export function quoted(value: string): string {
  if (/^[\p{L}\p{N}_./+@:-]+$/u.test(value)) return value;
  if (/["'\\\p{Cc}]/u.test(value)) {
    throw new StartRefusal(`HLS_PATH="${value}" contains quotes or control characters, choose another folder`);
  }
  return `"${value}"`;
}
