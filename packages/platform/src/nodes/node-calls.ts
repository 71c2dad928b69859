// Calls to the control planes of other nodes on their internal ports (docs/decisions/nodes.md). Both sides verify the other's cluster
// certificate. Files are streamed at the pace of the reader, without buffering.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppError, because, type ErrorName, errorCatalogue, type FailureEnvelope, verbatim } from '@srs-stack/contract';
import type { ClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { NodeRegistry } from './node-registry.ts';

/** Maximum number of connections to one node: one per transfer, plus some for other requests. */
const maxSockets = 160;
/** Maximum number of simultaneous transfers from all nodes. Each has two sockets and uses about 100 KB. Further viewers must retry. */
const maxTransfers = 128;
/** Timeout until the response begins, milliseconds. The node is then reported as down. */
const responseWithinMs = 10_000;
/** Timeout of an operation on another node, milliseconds. Probing a large file takes long. */
const doneWithinMs = 60_000;
/** Largest response that is not a file, bytes: ffprobe results for a long playlist. */
const maxResponseBytes = 1024 * 1024;
/** Any gateway forwards to its control plane. Gateway 0 always exists. */
const gateway = 0;

interface NodeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly body?: string;
}

interface NodeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The caller must read or destroy the body. */
  readonly body: Readable;
}

export interface NodeCalls {
  /** Runs an operation and resolves with the result. Throws the error of the other node, or `nodeAway`. */
  post(node: string, path: string, body: object): Promise<unknown>;
  /** Reads a file from another node. Throws `nodeAway`, or `serverBusy` when too many transfers are running. */
  read(node: string, request: Omit<NodeRequest, 'body'>): Promise<NodeResponse>;
  close(): void;
}

export interface NodeCallsDeps {
  readonly nodes: Pick<NodeRegistry, 'list'>;
  readonly tls: ClusterTls;
  /** See `maxTransfers`. */
  readonly places?: number;
}

export function createNodeCalls(deps: NodeCallsDeps): NodeCalls {
  return new TlsNodeCalls(deps);
}

/** For a server without an internal port: every call fails. */
export const noNodeCalls: NodeCalls = {
  post: (node) => Promise.reject(nodeUnavailable(node)),
  read: (node) => Promise.reject(nodeUnavailable(node)),
  close: () => undefined,
};

class TlsNodeCalls implements NodeCalls {
  readonly #deps: NodeCallsDeps;
  // No cached TLS sessions, because a resumed session would skip the certificate check.
  readonly #agent = new Agent({ keepAlive: true, maxSockets, maxCachedSessions: 0 });
  #transfers = 0;

  constructor(deps: NodeCallsDeps) {
    this.#deps = deps;
  }

  async post(node: string, path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(doneWithinMs);
    const response = await this.#send(node, { method: 'POST', path, headers, signal, body: JSON.stringify(body) });
    if (Number(response.headers['content-length'] ?? 0) > maxResponseBytes) response.destroy();
    const responseText = await text(response).catch(() => '');
    if (response.statusCode !== 200) throw refusalIn(responseText) ?? nodeUnavailable(this.#nameOf(node));
    return (JSON.parse(responseText) as { data?: unknown }).data;
  }

  async read(node: string, request: Omit<NodeRequest, 'body'>): Promise<NodeResponse> {
    if (this.#transfers >= (this.#deps.places ?? maxTransfers)) throw new AppError('serverBusy');
    this.#transfers += 1;
    const leave = () => {
      this.#transfers -= 1;
    };
    const response = await this.#send(node, request).catch((error) => {
      leave();
      throw error;
    });
    response.once('close', leave);
    return { status: response.statusCode ?? 502, headers: response.headers, body: response };
  }

  close(): void {
    this.#agent.destroy();
  }

  #nameOf(id: string): string {
    return this.#deps.nodes.list().find((node) => node.id === id)?.name ?? id;
  }

  #send(id: string, { method, path, headers, signal, body }: NodeRequest): Promise<IncomingMessage> {
    const node = this.#deps.nodes.list().find((each) => each.id === id);
    if (!node?.address) return Promise.reject(nodeUnavailable(node?.name ?? id));
    const way = { ...node.address, ...this.#deps.tls.clientOptions(id, gateway), agent: this.#agent };
    return new Promise((resolve, reject) => {
      const call = httpsRequest({
        ...way,
        method,
        path,
        headers,
        signal,
        timeout: method === 'POST' ? doneWithinMs : responseWithinMs,
      });
      call.once('timeout', () => call.destroy(new Error('the node did not respond in time')));
      call.once('error', (error) => reject(nodeUnavailable(node.name, error)));
      call.once('response', (response) => {
        // No timeout from here on, because a slow reader does not mean a hung node.
        response.socket.setTimeout(0);
        response.on('error', () => undefined);
        resolve(response);
      });
      call.end(body);
    });
  }
}

function nodeUnavailable(name: string, cause?: Error): AppError {
  return new AppError('nodeAway', because('cluster.node-away', { name }), { cause });
}

function refusalIn(responseText: string): AppError | undefined {
  try {
    const { name, message } = (JSON.parse(responseText) as FailureEnvelope).data;
    if (!(name in errorCatalogue)) return undefined;
    const prefix = `${errorCatalogue[name as ErrorName].message}: `;
    return new AppError(name, message.startsWith(prefix) ? verbatim(message.slice(prefix.length)) : undefined);
  } catch {
    return undefined;
  }
}
