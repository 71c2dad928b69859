// Parses the `hls` block of the generated SRS vhost configuration into HLS settings of the engine
// (docs/reference/protocols/media-server-api.md, "Settings").
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { HlsConfig } from '@srs-stack/engine';
import { parseSrsConfig, type SrsDirective } from './srs-config-parser.ts';

/** Allowed ranges, so that a typing error can neither fill the disk nor prevent segments. */
const bounds = {
  fragmentSeconds: { least: 0.2, most: 60 },
  windowSeconds: { least: 1, most: 3_600 },
  aofRatio: { least: 1.2, most: 100 },
  disposeSeconds: { least: 0, most: 86_400 },
} as const;

/** Settings before the control plane has written a file. */
export function defaultHlsConfig(path: string): HlsConfig {
  return {
    enabled: true,
    path,
    fragmentSeconds: 2,
    windowSeconds: 30,
    aofRatio: 2.1,
    disposeSeconds: 15,
    lowLatency: false,
    sessionContexts: true,
  };
}

export interface HlsConfigResult {
  readonly config: HlsConfig;
  /** One message per invalid value. The default replaces each invalid value. */
  readonly warnings: readonly string[];
}

/** @throws SrsConfigError when the text is not in the SRS format. */
export function parseHlsConfig(text: string, defaults: HlsConfig): HlsConfigResult {
  const block = findHls(parseSrsConfig(text));
  const warnings: string[] = [];
  if (!block) return { config: defaults, warnings };

  const argument = (key: string): string | undefined =>
    block.children.findLast((directive) => directive.name === key)?.args[0];
  const flag = (key: string, fallback: boolean): boolean => {
    const value = argument(key);
    if (value === undefined || value === 'on' || value === 'off')
      return value === undefined ? fallback : value === 'on';
    warnings.push(`${key} must be on or off, not "${value}"`);
    return fallback;
  };
  const number = (key: string, field: keyof typeof bounds): number => {
    const value = argument(key);
    if (value === undefined) return defaults[field];
    const { least, most } = bounds[field];
    if (/^\d+(\.\d+)?$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    warnings.push(`${key} must be ${least} to ${most}, not "${value}"`);
    return defaults[field];
  };
  const path = argument('hls_path') ?? defaults.path;
  if (!isAbsolute(path)) warnings.push(`hls_path must be absolute, not "${path}"`);

  const config: HlsConfig = {
    enabled: flag('enabled', defaults.enabled),
    path: isAbsolute(path) ? path : defaults.path,
    fragmentSeconds: number('hls_fragment', 'fragmentSeconds'),
    windowSeconds: number('hls_window', 'windowSeconds'),
    aofRatio: number('hls_aof_ratio', 'aofRatio'),
    disposeSeconds: number('hls_dispose', 'disposeSeconds'),
    lowLatency: flag('hls_low_latency', defaults.lowLatency),
    sessionContexts: flag('hls_ctx', defaults.sessionContexts),
  };
  return { config, warnings };
}

/** Reads the file. Returns the defaults when the file is missing. @throws SrsConfigError, or the system error of a failed read. */
export async function loadHlsConfig(file: string, defaults: HlsConfig): Promise<HlsConfigResult> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return parseHlsConfig(text, defaults);
}

/** Finds the `hls` block at the top level of an included file, or in the vhosts of a complete configuration. */
function findHls(directives: readonly SrsDirective[]): SrsDirective | undefined {
  const inVhosts = directives.filter((each) => each.name === 'vhost').flatMap((vhost) => vhost.children);
  return [...directives, ...inVhosts].find((each) => each.name === 'hls');
}
