// Parses a list of targets (text, CSV or JSON) into fields. Pure; the server validates the values.
import type { ForwardListRow } from '@srs-stack/contract';
import { maxPushTargets } from '@srs-stack/contract/limits.ts';
import { readCsv } from './read-csv.ts';

/** Longest text, characters: a hundred targets with the longest address and key. */
export const maxListLength = 512 * 1024;

export type ListProblem = 'empty' | 'too-large' | 'too-many' | 'not-json' | 'no-server-column';
export type ParsedList = { readonly rows: ForwardListRow[] } | { readonly problem: ListProblem };

type Field = keyof ForwardListRow;

/** Accepted names of columns and JSON members, in lower case. */
const fieldOfName: Readonly<Record<string, Field>> = {
  ...{ name: 'label', label: 'label', title: 'label', 名称: 'label' },
  ...{ server: 'server', url: 'server', address: 'server', 推流地址: 'server', 地址: 'server' },
  ...{ key: 'secret', secret: 'secret', 'stream key': 'secret', 推流密钥: 'secret', 密钥: 'secret' },
  ...{ source: 'stream', stream: 'stream', 'source stream': 'stream', 源流: 'stream' },
  ...{ group: 'group', 分组: 'group' },
};
const columns: readonly Field[] = ['label', 'server', 'secret', 'stream', 'group'];

export function parseList(text: string): ParsedList {
  if (text.trim() === '') return { problem: 'empty' };
  if (text.length > maxListLength) return { problem: 'too-large' };
  const parsed = /^\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
  if ('problem' in parsed) return parsed;
  if (parsed.rows.length === 0) return { problem: 'empty' };
  return parsed.rows.length > maxPushTargets ? { problem: 'too-many' } : parsed;
}

function fromJson(text: string): ParsedList {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'not-json' };
  }
  const entries = Array.isArray(value) ? value : (value as { targets?: unknown }).targets;
  if (!Array.isArray(entries)) return { problem: 'not-json' };
  return { rows: entries.map((entry: unknown) => toRow(Object.entries(entry ?? {}))) };
}

function fromCsv(text: string): ParsedList {
  const [first = [], ...others] = readCsv(text);
  const named = first.map(fieldNamed);
  const hasHeader = named.some((field) => field !== undefined);
  if (hasHeader && !named.includes('server')) return { problem: 'no-server-column' };
  const fields: readonly (Field | undefined)[] = hasHeader ? named : columns;
  const lines = hasHeader ? others : [first, ...others];
  return { rows: lines.map((cells) => toRow(cells.map((cell, index) => [fields[index] ?? '', cell]))) };
}

function fieldNamed(name: string): Field | undefined {
  return fieldOfName[name.trim().toLowerCase()];
}

function toRow(values: readonly (readonly [name: string, value: unknown])[]): ForwardListRow {
  const row: ForwardListRow = { label: '', server: '', secret: '', stream: '', group: '' };
  for (const [name, value] of values) {
    const field = fieldNamed(name);
    if (field && (typeof value === 'string' || typeof value === 'number')) row[field] = String(value).trim();
  }
  return row;
}
