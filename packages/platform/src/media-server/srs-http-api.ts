// Client of SRS's HTTP API. The built-in engine implements this API with extensions, e.g. pulls, pushes, channels and playback reports.
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, because, verbatim } from '@srs-stack/contract';
import type { SrsChannelRow, SrsPullRow, SrsPushRow, SrsPushTestRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { connectionTrouble } from '@srs-stack/process/cluster/cluster-tls.ts';
import { Agent } from '@srs-stack/process/node-http.ts';
import type { z } from 'zod';
import { requestJson } from './http-json.ts';
import type {
  MediaServer,
  MediaServerClient,
  MediaServerIdentity,
  MediaServerStream,
  MediaServerSummary,
  ServerViewers,
} from './media-server.ts';
import type { MediaServerAddress } from './media-server-address.ts';
import type { RawSummary } from './merged-metrics.ts';
import type { RawRow } from './merged-rows.ts';
import {
  channelsResponse,
  clientsResponse,
  codeResponse,
  keyframeResponse,
  pullsResponse,
  pushesResponse,
  pushTestResponse,
  rawResponse,
  rawSummaryResponse,
  refusalsResponse,
  reloadResponse,
  rowsResponse,
  streamsResponse,
  summariesResponse,
  toClient,
  toRefusal,
  toStream,
  toSummary,
  versionsResponse,
  viewersResponse,
} from './srs-responses.ts';

/** Timeout, milliseconds. A media server on this machine responds in milliseconds. */
const timeoutMs = 5_000;
/** Largest response, bytes. 1,000 clients are 0.5 MB. */
const maxResponseBytes = 32 * 1024 * 1024;
/** Number of entries per page. */
export const pageSize = 1_000;
/** Maximum number of pages (200,000 entries). Ends the loop for a server that ignores `start`. */
const maxPages = 200;
/** Maximum number of connections to the media server. */
const maxSockets = 8;

/** `state` of a completed reload. */
const reloadDone = 90;
/** Interval of polls for the result of a reload, milliseconds. */
const reloadPollMs = 100;

/** `code` of SRS for an unknown client, e.g. after a disconnect. */
const srsClientUnknown = 2049;

type OfOneServer = Omit<MediaServer, 'summarize' | 'disconnect' | 'listViewers' | 'identify'>;

/** The HTTP API of one server. All calls except `identify` throw `mediaServerUnreachable` if no valid response arrives. */
export class SrsHttpApi implements OfOneServer {
  readonly #address: MediaServerAddress;
  readonly #agent: Agent;
  #isUnavailable = false;

  constructor(address: MediaServerAddress) {
    this.#address = address;
    // No cached TLS sessions, because a resumed session would skip the certificate check.
    this.#agent = address.tls
      ? new HttpsAgent({ keepAlive: true, maxSockets, maxCachedSessions: 0 })
      : new Agent({ keepAlive: true, maxSockets });
  }

  get isUnavailable(): boolean {
    return this.#isUnavailable;
  }

  async listStreams(): Promise<MediaServerStream[]> {
    const all = await this.#askAll(
      '/api/v1/streams/',
      async (page) => (await this.#ask('GET', page, streamsResponse)).streams,
    );
    return all.map(toStream);
  }

  async listClients(): Promise<MediaServerClient[]> {
    const all = await this.#askAll(
      '/api/v1/clients/',
      async (page) => (await this.#ask('GET', page, clientsResponse)).clients,
    );
    return all.map(toClient);
  }

  async listRows(list: 'streams' | 'clients' | 'vhosts'): Promise<RawRow[]> {
    return this.#askAll(`/api/v1/${list}/`, async (page) => (await this.#ask('GET', page, rowsResponse))[list] ?? []);
  }

  async readSummary(): Promise<RawSummary> {
    return (await this.#ask('GET', '/api/v1/summaries', rawSummaryResponse)).data;
  }

  async readKeyframe(streamId: string): Promise<Buffer | undefined> {
    const { status, body } = await this.#call('GET', `/api/v1/keyframes/${encodeURIComponent(streamId)}`);
    const parsed = keyframeResponse.safeParse(body);
    return status === 200 && parsed.success ? Buffer.from(parsed.data.keyframe.flv, 'base64') : undefined;
  }

  async listRefusals(): ReturnType<MediaServer['listRefusals']> {
    const { status, body } = await this.#call('GET', '/api/v1/refusals/');
    const parsed = refusalsResponse.safeParse(body);
    return status === 200 && parsed.success ? parsed.data.refusals.map(toRefusal) : undefined;
  }

  /** Undefined for a server that does not pull. */
  async listPulls(): Promise<SrsPullRow[] | undefined> {
    const { status, body } = await this.#call('GET', '/api/v1/pulls/');
    const parsed = pullsResponse.safeParse(body);
    return status === 200 && parsed.success ? parsed.data.pulls : undefined;
  }

  /** Undefined for a server that does not push. */
  async listPushes(): Promise<SrsPushRow[] | undefined> {
    const { status, body } = await this.#call('GET', '/api/v1/pushes/');
    const parsed = pushesResponse.safeParse(body);
    return status === 200 && parsed.success ? parsed.data.pushes : undefined;
  }

  /** Undefined for a server without channels. */
  async listChannels(): Promise<SrsChannelRow[] | undefined> {
    const { status, body } = await this.#call('GET', '/api/v1/channels/');
    const parsed = channelsResponse.safeParse(body);
    return status === 200 && parsed.success ? parsed.data.channels : undefined;
  }

  /** Starts a test of a push target. Resolves to false on a server without push tests. */
  async startPushTest(id: string): Promise<boolean> {
    const { status, body } = await this.#call('POST', pushTestPath(id));
    const parsed = codeResponse.safeParse(body);
    return status === 200 && parsed.success && parsed.data.code === 0;
  }

  /** Progress of a test; undefined before the test starts. */
  async readPushTest(id: string): Promise<SrsPushTestRow | undefined> {
    const { status, body } = await this.#call('GET', pushTestPath(id));
    const parsed = pushTestResponse.safeParse(body);
    return status === 200 && parsed.success ? parsed.data.test : undefined;
  }

  /** Undefined for a server without playback reports. */
  async listViewers(): Promise<Omit<ServerViewers, 'name'> | undefined> {
    const { status, body } = await this.#call('GET', '/api/v1/viewers/');
    const parsed = viewersResponse.safeParse(body);
    return status === 200 && parsed.success ? parsed.data : undefined;
  }

  async summarize(): Promise<MediaServerSummary> {
    return toSummary((await this.#ask('GET', '/api/v1/summaries', summariesResponse)).data);
  }

  /** Disconnects a client. Resolves to false for an unknown client. */
  async disconnect(clientId: string): Promise<boolean> {
    const path = `/api/v1/clients/${encodeURIComponent(clientId)}`;
    const found = await this.#mustSucceed('GET', path, [0, srsClientUnknown]);
    if (found === 0) await this.#mustSucceed('DELETE', path, [0, srsClientUnknown]);
    return found === 0;
  }

  async identifyUnavailable(): Promise<MediaServerIdentity> {
    const target = await this.#address.current();
    return { api: target ? `${target.host}:${target.port}` : '', isUp: false, version: '', abilities: [] };
  }

  /** Identity and features. Never throws. */
  async identify(): Promise<MediaServerIdentity> {
    const unavailable = await this.identifyUnavailable();
    const versions = await this.#ask('GET', '/api/v1/versions', versionsResponse).catch(() => undefined);
    if (!versions) return unavailable;
    const has = async <T>(path: string, schema: z.ZodType<T>, fits: (response: T) => boolean) =>
      this.#ask('GET', path, schema).then(fits, () => false);
    const reloads = await has(
      '/api/v1/raw?rpc=raw',
      rawResponse,
      ({ http_api: { raw_api } }) => raw_api.enabled && raw_api.allow_reload,
    );
    const { version, product } = versions.data;
    // The control plane authorizes publishers, so it can list refusals for any server.
    const abilities: MediaServerIdentity['abilities'] = ['streams', 'kick', 'refusals'];
    if (reloads) abilities.push('reload');
    if (product) abilities.push('measurements');
    return {
      ...unavailable,
      isUp: true,
      version: product ? `${product} (SRS API ${version})` : `SRS ${version}`,
      abilities,
    };
  }

  async reload(): Promise<void> {
    const before = await this.#lastReload();
    await this.#mustSucceed('GET', '/api/v1/raw?rpc=reload', [0]);
    if (before) await this.#reloaded(before.rid);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #call(method: 'GET' | 'POST' | 'DELETE', path: string): Promise<{ status: number; body: unknown }> {
    const target = await this.#address.current();
    if (!target) {
      this.#isUnavailable = true;
      throw new AppError('mediaServerUnreachable', because('media-server.port-unknown'));
    }
    const tls = this.#address.tls?.();
    const request = { address: target, agent: this.#agent, tls, method, path, timeoutMs, maxResponseBytes };
    try {
      const response = await requestJson(request);
      this.#isUnavailable = false;
      return response;
    } catch (error) {
      this.#isUnavailable = true;
      this.#address.forget();
      throw new AppError(
        'mediaServerUnreachable',
        verbatim(tls ? connectionTrouble(error as Error) : (error as Error).message),
        { cause: error },
      );
    }
  }

  async #ask<T>(method: 'GET' | 'DELETE', path: string, schema: z.ZodType<T>): Promise<T> {
    const { status, body } = await this.#call(method, path);
    const parsed = schema.safeParse(body);
    if (status === 200 && parsed.success) return parsed.data;
    throw new AppError(
      'mediaServerUnreachable',
      because('media-server.odd-answer', { path: path.split('?', 1)[0] ?? '', status }),
    );
  }

  /** Reads pages with `start` and `count`. The last page is incomplete or has no new rows. */
  async #askAll<T extends { id: string }>(path: string, read: (page: string) => Promise<T[]>): Promise<T[]> {
    const found = new Map<string, T>();
    for (let page = 0; page < maxPages; page++) {
      const entries = await read(`${path}?start=${page * pageSize}&count=${pageSize}`);
      const before = found.size;
      for (const entry of entries) found.set(entry.id, entry);
      if (entries.length < pageSize || found.size === before) break;
    }
    return [...found.values()];
  }

  /** Result of the last reload; undefined for SRS 4, which does not report the result. */
  async #lastReload() {
    return this.#ask('GET', '/api/v1/raw?rpc=reload-fetch', reloadResponse).then(
      ({ data }) => data,
      () => undefined,
    );
  }

  /**
   * Resolves when the reload is in effect, at the latest after `timeoutMs`. SRS reads its files up to a second after the call. Until then,
   * new connections get the old settings.
   */
  async #reloaded(before: string): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      const reload = await this.#lastReload();
      const isOther = reload !== undefined && reload.rid !== before;
      if (isOther && reload.err !== 0)
        throw new AppError('mediaServerUnreachable', because('media-server.reload-failed', { reason: reload.msg }));
      if (isOther && reload.state === reloadDone) return;
      await sleep(reloadPollMs);
    }
  }

  async #mustSucceed(method: 'GET' | 'DELETE', path: string, allowed: readonly number[]): Promise<number> {
    const { code } = await this.#ask(method, path, codeResponse);
    if (allowed.includes(code)) return code;
    throw new AppError(
      'mediaServerUnreachable',
      because('media-server.refused', { path: path.split('?', 1)[0] ?? '', code }),
    );
  }
}

function pushTestPath(id: string): string {
  return `/api/v1/pushtests/${encodeURIComponent(id)}`;
}
