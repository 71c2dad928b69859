// Decides on the response to a file request: whole file, range, or no body (RFC 9110 §13, §14).
import type { IncomingHttpHeaders } from 'node:http';
import { parseRange } from './byte-range.ts';

export interface FileVersion {
  /** Strong ETag, in quotes. */
  readonly etag: string;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  /** Bytes. */
  readonly size: number;
}

export type FileVerdict =
  /** `end` is exclusive. */
  { readonly status: 200 | 206; readonly start: number; readonly end: number } | { readonly status: 304 | 412 | 416 };

/** Evaluates the conditions in the order of RFC 9110 §13.2.2. Ignores invalid dates and tags. */
export function judgeConditions(headers: IncomingHttpHeaders, file: FileVersion): FileVerdict {
  const { etag, size } = file;
  const match = headers['if-match'];
  const noneMatch = headers['if-none-match'];
  if (match !== undefined) {
    // Strong comparison: a weak tag never matches (RFC 9110 §8.8.3.2).
    if (!lists(match, etag)) return { status: 412 };
  } else if (isLaterThan(file, headers['if-unmodified-since'])) return { status: 412 };
  if (noneMatch !== undefined) {
    if (lists(noneMatch.replaceAll('W/"', '"'), etag)) return { status: 304 };
  } else if (isLaterThan(file, headers['if-modified-since']) === false) return { status: 304 };
  const range = isCurrent(headers['if-range'], file) ? parseRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') return { status: 416 };
  return range ? { status: 206, ...range } : { status: 200, start: 0, end: size };
}

/** Node joins ETags of several headers with commas. Tags of this server contain no comma. */
function lists(tags: string, etag: string): boolean {
  return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim() === etag);
}

/** Whether the file is newer than an HTTP date, in whole seconds. Undefined for a missing or invalid date. */
function isLaterThan({ modifiedMs }: FileVersion, date: string | undefined): boolean | undefined {
  const seconds = Date.parse(date ?? '') / 1000;
  return Number.isNaN(seconds) ? undefined : Math.floor(modifiedMs / 1000) > seconds;
}

/** Evaluates If-Range by tag or exact date: whether the client has the current version. */
function isCurrent(condition: string | string[] | undefined, file: FileVersion): boolean {
  if (condition === undefined) return true;
  if (typeof condition !== 'string') return false;
  if (condition.includes('"')) return condition.trim() === file.etag;
  return Date.parse(condition) / 1000 === Math.floor(file.modifiedMs / 1000);
}
