// The event stream over a real socket: credential, first messages, resuming after an interruption, limits, end.
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  eventStreamPath,
  type FailureEnvelope,
  type MonitorEvent,
  type MonitorSnapshot,
  maxEventStreams,
} from '@srs-stack/contract';
import { fastify } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerEventStream } from '../src/http/pages/event-stream.ts';
import { installWireFormat } from '../src/http/wire/wire-format.ts';
import type { MonitorListener } from '../src/monitor/monitor.ts';
import { openTestPlatform, type TestPlatform, testBearer } from '../src/testing/test-platform.ts';

interface Message {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

let platform: TestPlatform;
let origin: string;
beforeEach(async () => {
  platform = await openTestPlatform({ MGMT_PASSWORD: 'a long password', AUTO_SELF_SIGNED_CERTIFICATE: 'off' });
  origin = await platform.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const abort of openRequests.splice(0)) abort.abort();
  await platform.dispose();
});

const openRequests: AbortController[] = [];
const bearer = { authorization: `Bearer ${testBearer}` };

function ask(headers: Record<string, string> = bearer, body?: object): Promise<Response> {
  const abort = new AbortController();
  openRequests.push(abort);
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : { method: 'GET' };
  return fetch(origin + eventStreamPath, { ...init, headers, signal: abort.signal });
}

async function* messagesOf(response: Response): AsyncGenerator<Message> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/, 2) as [string, string]),
      );
      text = text.slice(end + 2);
      const data = fields.get('data');
      if (data) yield { event: fields.get('event') ?? '', id: fields.get('id'), data: JSON.parse(data) };
    }
  }
}

async function nextOf(messages: AsyncGenerator<Message>, event: string): Promise<Message> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done) throw new Error(`the stream ended before ${event}`);
    if (value.event === event) return value;
  }
}

async function nameIn(response: Response): Promise<string> {
  return ((await response.json()) as FailureEnvelope).data.name;
}

const changeTitle = (text: string) => platform.call('updateBeian', { beian: 'title', text });
const titleOf = ({ data }: Message) => (data as MonitorEvent).kind;

describe('event stream', () => {
  it('is text/event-stream that proxies may neither cache nor buffer', async () => {
    const { status, headers } = await ask();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
  });

  it('starts with metrics and the newest events, then sends events immediately', async () => {
    await changeTitle('before');
    const messages = messagesOf(await ask());
    const { value: first } = await messages.next();
    expect(first).toMatchObject({ event: 'snapshot', data: { engine: 'up' } });
    expect(titleOf(await nextOf(messages, 'happened'))).toBe('setting-changed');
    await changeTitle('meanwhile');
    const happened = await nextOf(messages, 'happened');
    expect([happened.id, (happened.data as MonitorEvent).id]).toEqual(['2', 2]);
  });

  it('resumes after the last event that a reader has received, without gaps or repetition', async () => {
    const first = messagesOf(await ask());
    await changeTitle('1');
    const seen = await nextOf(first, 'happened');
    await first.return(undefined);
    for (const text of ['2', '3', '4']) await changeTitle(text);
    const again = messagesOf(await ask({ ...bearer, 'last-event-id': seen.id! }));
    const ids = [await nextOf(again, 'happened'), await nextOf(again, 'happened'), await nextOf(again, 'happened')];
    expect(ids.map(({ id }) => id)).toEqual(['2', '3', '4']);
    await changeTitle('5');
    expect((await nextOf(again, 'happened')).id).toBe('5');
  });

  it('pushes new metrics while there is a reader', async () => {
    platform.start();
    const messages = messagesOf(await ask());
    const first = (await nextOf(messages, 'snapshot')).data as MonitorSnapshot;
    const second = (await nextOf(messages, 'snapshot')).data as MonitorSnapshot;
    expect(first.nextInMs).toBeGreaterThan(0);
    expect(second.nextInMs).toBe(2_000);
  });

  it('accepts a session token in the body, as every call does', async () => {
    const { token } = (await platform.call('login', { password: 'a long password' }, {})).body.data;
    const messages = messagesOf(await ask({ 'content-type': 'application/json' }, { token }));
    expect((await nextOf(messages, 'snapshot')).event).toBe('snapshot');
  });

  it.each([
    ['no credential', {}, undefined],
    ['a wrong bearer', { authorization: 'Bearer wrong' }, undefined],
    ['a wrong token', { 'content-type': 'application/json' }, { token: 'wrong' }],
  ])('refuses %s', async (_name, headers, body) => {
    const response = await ask(headers as Record<string, string>, body);
    expect(response.status).toBe(401);
    expect(await nameIn(response)).toBe('tokenInvalid');
  });

  it('does not accept a token in the URL, where it would be logged', async () => {
    const { token } = (await platform.call('login', { password: 'a long password' }, {})).body.data;
    expect((await fetch(`${origin}${eventStreamPath}?token=${token}`)).status).toBe(401);
  });

  it('refuses an invalid body', async () => {
    const response = await ask({ ...bearer, 'content-type': 'application/json' }, { token: 5 });
    expect([response.status, await nameIn(response)]).toEqual([400, 'invalidRequest']);
  });

  it('accepts a bounded number of readers, and the next when one leaves', async () => {
    const open = await Promise.all(Array.from({ length: maxEventStreams }, () => ask()));
    expect(open.every(({ status }) => status === 200)).toBe(true);
    const refused = await ask();
    expect([refused.status, await nameIn(refused)]).toEqual([503, 'tooManyEventStreams']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    openRequests[0]?.abort();
    await expect.poll(async () => (await ask()).status, { timeout: 20_000 }).toBe(200);
  });

  it('disconnects a reader that does not read, before memory fills', async () => {
    const listeners = new Set<MonitorListener>();
    const monitor = {
      subscribe(listener: MonitorListener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      snapshot: async () => ({}) as MonitorSnapshot,
      eventsSince: () => [],
    };
    const app = fastify();
    app.setValidatorCompiler(validatorCompiler);
    installWireFormat(app, 'test');
    registerEventStream(app, { monitor, sessions: { isValidToken: () => true, isValidBearer: () => true } });
    const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`GET ${eventStreamPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n`);
    await once(socket, 'readable');
    const [listener] = listeners;
    const event = {
      at: '',
      kind: 'setting-changed',
      severity: 'info',
      subject: '',
      detail: 'x'.repeat(300),
      ip: '',
    } as const;
    // Sends until the buffers of the kernel and the server are full. Loopback buffers some megabytes.
    for (let id = 1; listeners.size > 0 && id < 500_000; id++) {
      listener?.onEvent({ ...event, id });
      if (id % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(listeners.size).toBe(0);
    socket.destroy();
    await app.close();
  });

  it('ends with its session immediately, and sends nothing more', async () => {
    const password = 'a long password';
    const { token, bearer: session } = (await platform.call('login', { password }, {})).body.data;
    const streams = [
      messagesOf(await ask({ 'content-type': 'application/json' }, { token })),
      messagesOf(await ask({ authorization: `Bearer ${session}` })),
    ];
    for (const messages of streams) await nextOf(messages, 'snapshot');
    const owner = messagesOf(await ask());
    await nextOf(owner, 'snapshot');
    await platform.call('changePassword', { current: password, password: 'another' });
    for (const messages of streams) {
      let last = await messages.next();
      while (last.value?.event === 'snapshot') last = await messages.next();
      expect(last.value).toMatchObject({ event: 'expired' });
      expect((await messages.next()).done).toBe(true);
    }
    expect(await nextOf(owner, 'happened')).toMatchObject({ data: { kind: 'access-changed' } });
  });

  it('ends immediately when the control plane stops', async () => {
    const messages = messagesOf(await ask());
    await nextOf(messages, 'snapshot');
    const closed = platform.close();
    let last = await messages.next();
    while (!last.done) last = await messages.next();
    await closed;
  });
});
