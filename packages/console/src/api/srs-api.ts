// The HTTP API of SRS from a browser: lists, summaries, kick. Only the server of this page gets the console's credential.
import { listOf, type Read } from '@srs-stack/contract/wire/lenient.ts';
import {
  readSrsClientRow,
  readSrsStreamRow,
  readSrsSummaryRow,
  readSrsVersionsRow,
  readSrsVhostRow,
} from '@srs-stack/contract/wire/srs-rows.ts';
import { ApiError } from './api-error.ts';
import { readSession } from './stored-session.ts';

/** Timeout of a request, milliseconds. */
const timeoutMs = 10_000;
/** Rows per request. SRS lists at least 10 rows. */
const pageRows = 1_000;
/** Maximum number of pages of a list: more rows than the console can show. The limit ends the loop if a server ignores `start`. */
const maxPages = 20;

/** `code` that SRS returns for a client that has disconnected. */
const clientUnknown = 2049;

const lists = { streams: readSrsStreamRow, clients: readSrsClientRow, vhosts: readSrsVhostRow };
const facts = { versions: readSrsVersionsRow, summaries: readSrsSummaryRow };
type Lists = typeof lists;
type Facts = typeof facts;

type JsonObject = Readonly<Record<string, unknown>>;

export interface SrsApi {
  /** Origin of the API, such as `http://10.0.0.5:1985`. Requests to the origin of this page contain the console's credential. */
  readonly origin: string;
  readonly isOwn: boolean;
  /** Requests `versions` or `summaries`. Resolves with `data` of the response. @throws ApiError */
  data<Name extends keyof Facts>(name: Name, signal: AbortSignal): Promise<Read<Facts[Name]>>;
  /** Resolves with every row of a list. @throws ApiError */
  list<Name extends keyof Lists>(name: Name, signal: AbortSignal): Promise<Read<Lists[Name]>[]>;
  /** Disconnects a client. A client that has already disconnected is not an error. @throws ApiError */
  kick(clientId: string): Promise<void>;
}

export function createSrsApi(origin: string, ownOrigin: string = location.origin): SrsApi {
  const isOwn = origin === ownOrigin;
  const request = (method: 'GET' | 'DELETE', path: string, signal?: AbortSignal) =>
    exchange(`${origin}/api/v1/${path}`, { method, headers: isOwn ? credential() : {} }, signal);
  return {
    origin,
    isOwn,
    async data<Name extends keyof Facts>(name: Name, signal: AbortSignal) {
      const { data } = await request('GET', name, signal);
      return facts[name](data) as Read<Facts[Name]>;
    },
    async list<Name extends keyof Lists>(name: Name, signal: AbortSignal) {
      const found = new Map<string, Read<Lists[Name]>>();
      for (let page = 0; page < maxPages; page++) {
        const rowsByName = await request('GET', `${name}/?start=${page * pageRows}&count=${pageRows}`, signal);
        const rows = listOf<{ readonly id: string }>(lists[name])(rowsByName[name]) as readonly Read<Lists[Name]>[];
        const before = found.size;
        for (const row of rows) found.set(row.id, row);
        if (rows.length < pageRows || found.size === before) break;
      }
      return [...found.values()];
    },
    async kick(clientId) {
      await request('DELETE', `clients/${encodeURIComponent(clientId)}`);
    },
  };
}

/** Header with the session bearer, which the server accepts for every path below `/api/`. */
function credential(): Record<string, string> {
  const bearer = readSession()?.bearer;
  return bearer ? { Authorization: `Bearer ${bearer}` } : {};
}

async function exchange(url: string, init: RequestInit, signal?: AbortSignal): Promise<JsonObject> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    const kind = timeout.aborted ? 'timeout' : 'network';
    throw new ApiError({ kind, message: `${new URL(url).origin} cannot be reached`, url }, { cause: error });
  }
  const facts = { url, status: response.status, statusText: response.statusText };
  const body = parseObject(text);
  if (!response.ok)
    throw new ApiError({ ...facts, kind: 'http', message: `HTTP ${response.status}`, code: codeOf(body) });
  if (!body) throw new ApiError({ ...facts, kind: 'malformed', message: 'this is not the HTTP API of SRS' });
  const code = codeOf(body);
  if (code !== 0 && code !== clientUnknown) {
    throw new ApiError({ ...facts, kind: 'refused', message: `SRS returned code ${code}`, code });
  }
  return body;
}

function codeOf(body: JsonObject | undefined): number {
  return typeof body?.code === 'number' ? body.code : 0;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'code' in value ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
