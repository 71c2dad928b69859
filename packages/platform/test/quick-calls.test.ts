// The connection for quick calls, which are answered from memory. Responses equal those of the HTTP API. For a call that the API would
// refuse, the response is empty, and the gateway repeats the call over HTTP.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import {
  parseQuickLine,
  QuickLines,
  type QuickQuestion,
  quickCallsPath,
  quickCallsProtocol,
  writeQuickQuestion,
} from '@srs-stack/contract/quick-calls.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform, testBearer, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
let port = 0;
let socket: Socket;

async function open(variables: Record<string, string> = {}): Promise<void> {
  platform = await openTestPlatform(variables);
  port = Number(new URL(await platform.app.listen({ host: '127.0.0.1', port: 0 })).port);
}

function upgrade(secret: string, path: string = quickCallsPath): ClientRequest {
  const headers = { connection: 'Upgrade', upgrade: quickCallsProtocol, 'x-callback-secret': secret };
  return request({ host: '127.0.0.1', port, path, headers, agent: false }).end();
}

async function connect(): Promise<Socket> {
  const [, upgraded] = (await once(upgrade(testCallbackSecret), 'upgrade')) as [IncomingMessage, Socket];
  return upgraded;
}

async function nextResponse(from: Socket = socket): Promise<string> {
  const lines = new QuickLines();
  for (;;) {
    const [bytes] = (await once(from, 'data')) as [Buffer];
    const [line] = lines.push(bytes) ?? [];
    if (line !== undefined) return parseQuickLine(line).rest;
  }
}

async function ask(bearer: string, call: QuickQuestion['call'] = 'status'): Promise<string> {
  socket.write(writeQuickQuestion(1, { call, bearer }));
  return nextResponse();
}

afterEach(async () => {
  await platform.dispose();
});

describe('connecting', () => {
  it('requires the callback secret', async () => {
    await open();
    for (const secret of ['', 'x', `${testCallbackSecret}x`]) {
      const [response] = (await once(upgrade(secret), 'response')) as [IncomingMessage];
      expect(response.statusCode, secret).toBe(403);
      response.resume();
    }
  });

  it('is impossible without a secret', async () => {
    await open({ CALLBACK_SECRET: '' });
    const [response] = (await once(upgrade(''), 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(403);
    response.resume();
  });

  it('works only at its own address: everything else is a plain request', async () => {
    await open();
    const [response] = (await once(upgrade(testCallbackSecret, '/terraform/v1/mgmt/versions'), 'response')) as [
      IncomingMessage,
    ];
    expect(response.statusCode).toBe(200);
    response.resume();
  });
});

describe('the response', () => {
  beforeEach(async () => {
    await open();
    socket = await connect();
  });

  it('has the same text as over HTTP', async () => {
    for (const call of ['status', 'queryPublishSecret'] as const) {
      expect(JSON.parse(await ask(testBearer, call)), call).toEqual((await platform.call(call)).body);
    }
  });

  it('is empty for an invalid bearer, from the next request on', async () => {
    expect(await ask('srs-v2-wrong')).toBe('');
    expect(await ask('')).toBe('');
    const { bearer } = (await platform.call('init', { password: 'correct' }, {})).body.data;
    expect(await ask(bearer)).not.toBe('');
    await platform.call('signOutEverywhere', {});
    expect(await ask(bearer)).toBe('');
  });

  it('is empty for an expired session', async () => {
    const { bearer, expireAt } = (await platform.call('init', { password: 'correct' }, {})).body.data;
    expect(await ask(bearer)).not.toBe('');
    platform.clock.nowMs = Date.parse(expireAt);
    expect(await ask(bearer)).toBe('');
  });

  it('is empty for a session from before a password change', async () => {
    const { bearer } = (await platform.call('init', { password: 'correct' }, {})).body.data;
    expect(await ask(bearer)).not.toBe('');
    await platform.call('changePassword', { current: 'correct', password: 'another' });
    expect(await ask(bearer)).toBe('');
  });

  it('contains a changed setting from the next request on', async () => {
    for (const secret of ['first', 'second']) {
      await platform.call('updatePublishSecret', { secret });
      expect(JSON.parse(await ask(testBearer, 'queryPublishSecret')).data.publish).toBe(secret);
    }
  });

  it('is sent once per request, however its bytes are split', async () => {
    const wire = writeQuickQuestion(5, { call: 'queryPublishSecret', bearer: testBearer });
    for (const character of wire) socket.write(character);
    expect(JSON.parse(await nextResponse()).code).toBe(0);
  });
});

describe('a client that violates the protocol', () => {
  beforeEach(async () => {
    await open();
    socket = await connect();
  });

  it.each(['\n', 'x\n', '1 nothing x\n', '1 toString x\n', '1 status\n', '-1 login password\n'])(
    'gets no response to %j, but a request for a full call',
    async (line) => {
      socket.write(line);
      expect(await nextResponse()).toBe('');
      expect(await ask(testBearer)).not.toBe('');
    },
  );

  it('is disconnected when a line does not end', async () => {
    const closed = once(socket, 'close');
    socket.on('error', () => undefined).write('x'.repeat(100_000));
    await closed;
  });

  it('may disconnect at any byte', async () => {
    const wire = writeQuickQuestion(1, { call: 'status', bearer: testBearer });
    for (let size = 0; size <= wire.length; size += 1) {
      const other = await connect();
      const gone = once(other, 'close');
      if (size % 2 === 0) other.end(wire.slice(0, size));
      else other.write(wire.slice(0, size), () => other.destroy());
      await gone;
    }
    expect(await ask(testBearer)).not.toBe('');
  });
});

it('a control plane that stops ends the connection', async () => {
  await open();
  socket = await connect();
  const closed = once(socket, 'close');
  await platform.close();
  await closed;
});
