// Installs the standalone SRT package into an empty project. The package works, and its types accept the example of its README.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packSrt } from './pack-srt.ts';

const require = createRequire(import.meta.url);
let folder: string;
let project: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-pack-srt-'));
  project = join(folder, 'project');
  const built = join(folder, 'built');
  packSrt(built);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}');
  const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8' });
  const archive = npm(built, 'pack', '--silent', '--pack-destination', folder).trim();
  npm(project, 'install', '--silent', '--offline', '--no-audit', '--no-fund', join(folder, archive));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the installed package listens, connects and rejects with a reason', () => {
  writeFileSync(
    join(project, 'round-trip.js'),
    `import { createSocket } from 'node:dgram';
import { monotonicUs, rejectReason, SrtCaller, SrtListener } from '@srs-stack/srt';

const options = { receiverLatencyMs: 20, senderLatencyMs: 20 };
const listener = new SrtListener(options, {
  onRequest: (request) => {
    console.log(request.streamId);
    request.reject(rejectReason.notFound, monotonicUs());
  },
});
const port = await listener.listen(0, '127.0.0.1');
const socket = createSocket('udp4');
const onFailed = (code) => {
  console.log(code === rejectReason.notFound ? 'not found' : code);
  socket.close();
  listener.close();
};
const transmit = (datagram) => socket.send(datagram, port, '127.0.0.1');
const caller = new SrtCaller(options, 'camera', { transmit, onFailed, onConnected: () => {} }, monotonicUs());
socket.on('message', (datagram) => caller.handleDatagram(datagram, monotonicUs()));
`,
  );
  const output = execFileSync(process.execPath, ['round-trip.js'], { cwd: project, encoding: 'utf8' });
  expect(output).toBe('camera\nnot found\n');
});

test("the README's example compiles against the installed types", () => {
  const [, example] = /```ts\n([\s\S]*?)```/.exec(
    readFileSync(join(project, 'node_modules/@srs-stack/srt/README.md'), 'utf8'),
  )!;
  writeFileSync(join(project, 'example.ts'), example!);
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  mkdirSync(join(project, 'node_modules/@types'));
  symlinkSync(dirname(require.resolve('@types/node/package.json')), join(project, 'node_modules/@types/node'));
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  expect(() =>
    execFileSync(process.execPath, [compiler, ...options, 'example.ts'], { cwd: project, encoding: 'utf8' }),
  ).not.toThrow();
});
