import type { MediaSource, VliveTarget } from '@srs-stack/contract';
import { uploadExtensions } from '@srs-stack/contract/constants.ts';

export type VliveProblem = 'files' | 'server' | 'label';

/** Returns the first violated rule. Rules are checked in this order: source, address, name of a custom platform. */
export function validateVlive(
  target: Pick<VliveTarget, 'files' | 'server' | 'custom' | 'label'>,
): VliveProblem | undefined {
  if (target.files.length === 0) return 'files';
  if (target.server.trim() === '') return 'server';
  return target.custom && target.label.trim() === '' ? 'label' : undefined;
}

export type StreamUrlProblem = 'missing' | 'scheme' | 'format';

/** Accepts rtmp(s), rtsp and srt URLs, and http(s) URLs of HTTP-FLV or HLS. */
export function validateStreamUrl(url: string): StreamUrlProblem | undefined {
  const text = url.trim();
  if (text === '') return 'missing';
  if (!/^(rtmps?|rtsp|srt|https?):\/\//i.test(text)) return 'scheme';
  if (/^https?:/i.test(text) && !/\.(flv|m3u8)/i.test(text)) return 'format';
  return undefined;
}

export type ServerFileProblem = 'missing' | 'place' | 'type';

/** Accepts a file in the data folder with a supported extension. */
export function validateServerFile(path: string): ServerFileProblem | undefined {
  const text = path.trim();
  if (text === '') return 'missing';
  if (!/^(\/data\/|\.?\/?upload\/)/.test(text) || text.startsWith('/upload/')) return 'place';
  return hasUploadType(text) ? undefined : 'type';
}

/** Whether a browser may upload a file with this name. */
export function hasUploadType(name: string): boolean {
  return uploadExtensions.some((extension) => name.toLowerCase().endsWith(extension));
}

export type SourceMode = 'upload' | 'file' | 'stream';

/** The type of the sources; entries stored without a type are files. */
export function modeOfFiles(files: readonly Pick<MediaSource, 'type'>[]): SourceMode | undefined {
  const type = files[0]?.type;
  if (type === undefined) return undefined;
  return type === 'upload' || type === 'stream' ? type : 'file';
}

/** Initial values of a target that was never saved. */
export function emptyVlive(platform: string, server: string, custom: boolean): VliveTarget {
  return { platform, server, secret: '', enabled: false, custom, label: '', files: [], startAt: '' };
}
