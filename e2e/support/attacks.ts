// Attacks that need no credential. Each opens, sends, holds or aborts many connections, and finally releases them.
// The attacks only target the product under test, on loopback.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Product } from './product.ts';

const offer = readFileSync(
  new URL('../../packages/media/src/protocols/sdp/testdata/chromium-156-offer.sdp', import.meta.url),
  'utf8',
);
const rtcPaths = ['whip', 'whep', 'play', 'publish'];
/** Time for which connections are held open, milliseconds: long enough to affect viewers visibly. */
const heldMs = 3_000;

async function hold(port: number, text: string, count: number): Promise<void> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    if (text !== '') socket.write(text);
    sockets.push(socket);
  }
  await delay(heldMs);
  for (const socket of sockets) socket.destroy();
}

async function breakOff(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.end(text, () => socket.destroy());
  await once(socket, 'close');
}

async function post(product: Product, path: string, body: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(product.url + path, { method: 'POST', headers, body }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
}

async function times(count: number, atOnce: number, step: (index: number) => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - done) }, (_, index) => step(done + index)));
}

async function datagrams(port: number, count: number, bytesAt: (index: number) => Buffer): Promise<void> {
  const socket = createSocket('udp4');
  for (let index = 0; index < count; index++) {
    socket.send(bytesAt(index), port, '127.0.0.1');
    if (index % 100 === 0) await delay(1);
  }
  await delay(100);
  socket.close();
}

/** Bytes that differ for each index and are equal in every run. */
const noise = (index: number): Buffer =>
  Buffer.from(
    Array.from({ length: 16 + (index % 900) }, (_, at) => (Math.imul(index + 1, 2_654_435_761) >>> (at % 24)) & 0xff),
  );

/** Attacks by description. `recording` is the path of a public file of some megabytes. */
export function attacksOn(product: Product, recording: string): ReadonlyMap<string, () => Promise<void>> {
  const { http, https, rtmp, srt, rtc } = product.ports;
  const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n\r\n`;
  return new Map([
    [
      'WebRTC calls that break off in their body',
      () =>
        times(200, 20, (index) =>
          breakOff(http, `${head(`/rtc/v1/${rtcPaths[index % 4]}/`, 'Content-Length: 100')}abc`),
        ),
    ],
    [
      'WebRTC calls with invalid addresses',
      () =>
        times(60, 10, (index) => {
          const streamurl = ['webrtc:', 'webrtc:///', 'webrtc://%/live/x', 'webrtc://['][index % 4];
          return post(product, '/rtc/v1/play/', JSON.stringify({ sdp: 'v=0', streamurl }));
        }),
    ],
    [
      'WebRTC offers without a connection',
      () => times(300, 20, () => post(product, '/rtc/v1/whep/?app=live&stream=lobby', offer)),
    ],
    [
      'WebRTC calls by names that do not resolve',
      () =>
        times(16, 16, (index) =>
          breakOff(http, head(`/rtc/v1/whep/?app=live&stream=x`, `Host: n${index}.invalid\r\nContent-Length: 0`)),
        ),
    ],
    ['slow bodies', () => hold(http, `${head('/terraform/v1/mgmt/login', 'Content-Length: 500000')}{`, 260)],
    [
      'slow chunked bodies',
      () => hold(http, `${head('/terraform/v1/mgmt/login', 'Transfer-Encoding: chunked')}1\r\n{\r\n`, 260),
    ],
    ['unread downloads', () => hold(http, `GET ${recording} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 270)],
    ['half heads', () => hold(http, 'GET / HTTP/1.1\r\nHost: loc', 300)],
    ['half TLS handshakes', () => hold(https ?? 0, '\x16\x03\x01', 200)],
    ['silent RTMP connections', () => hold(rtmp ?? 0, '', 500)],
    [
      'unused HLS contexts',
      () => times(2_000, 50, () => fetch(`${product.url}/live/lobby.m3u8`).then((response) => response.arrayBuffer())),
    ],
    [
      'guessed passwords',
      () => times(300, 20, (index) => post(product, '/terraform/v1/mgmt/login', `{"password":"guess ${index}"}`)),
    ],
    ['datagrams for SRT', () => datagrams(srt ?? 0, 5_000, noise)],
    ['datagrams for WebRTC', () => datagrams(rtc ?? 0, 5_000, noise)],
  ]);
}
