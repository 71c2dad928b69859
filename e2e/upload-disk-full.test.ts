// An upload to a file system that is too small. An upload of known size is refused in advance.
// An upload of unknown size is aborted with an error message. No files remain. The test needs permission to mount (root).
import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, resumableUploadPath, uploadPath } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { type Product, startProduct } from './support/product.ts';
import { bigBuckBunny } from './support/test-source.ts';

/** Free space of the file system above the 1 GiB that uploads never use, MiB. */
const roomMiB = 40;
/** Size of the upload, bytes: more than the free space. The server checks the disk every 8 MiB. */
const sentBytes = 120 * 1024 ** 2;

let dataDir: string;
let upload: string;
let isMounted = false;
let product: Product | undefined;
let admin: Admin;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-full-'));
  upload = join(dataDir, 'upload');
  mkdirSync(upload);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${1_024 + roomMiB}m`, 'tmpfs', upload], { stdio: 'pipe' });
    isMounted = true;
  } catch {
    return;
  }
  product = await startProduct({ DATA_DIR: dataDir });
  admin = await setUp(product, 'full disk password');
});
afterAll(async () => {
  await product?.stop();
  if (isMounted) execFileSync('umount', [upload]);
  rmSync(dataDir, { recursive: true, force: true });
});

function bigFile(): string {
  const file = join(dataDir, 'big.mp4');
  const clip = execFileSync('head', ['-c', '1000000', bigBuckBunny]);
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, clip);
  writeSync(descriptor, Buffer.alloc(1), 0, 1, sentBytes - 1);
  return file;
}

/** Sends without Content-Length, like a script that pipes. Resolves with status and text of the response. */
function send(method: string, path: string, headers: Record<string, string>, parts: readonly (string | null)[]) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(product!.url + path, {
      method,
      headers: { authorization: `Bearer ${admin.session.bearer}`, 'transfer-encoding': 'chunked', ...headers },
    });
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.on('error', reject);
    const [before, after] = parts;
    outgoing.write(before ?? '');
    const file = createReadStream(bigFile());
    outgoing.once('response', () => file.destroy());
    file.pipe(outgoing, { end: false });
    file.on('end', () => outgoing.end(after ?? ''));
  });
}

const diskFull = { code: 4053, name: 'diskFull', message: 'there is not enough disk space' };
const nothingLeft = async () => {
  expect(readdirSync(upload).filter((name) => name !== '.partial')).toEqual([]);
  expect(readdirSync(join(upload, '.partial'))).toEqual([]);
  expect((await admin.call(endpoints.queryLibrary, {})).files).toEqual([]);
};

test('a size that does not fit is refused before a byte is sent', async ({ skip }) => {
  skip(!isMounted, 'mounting a small file system needs root');
  const created = await fetch(product!.url + resumableUploadPath, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.session.bearer}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(sentBytes),
      'upload-metadata': `filename ${Buffer.from('big.mp4').toString('base64')}`,
    },
  });
  expect(created.status).toBe(507);
  expect(JSON.parse(await created.text())).toMatchObject({
    code: diskFull.code,
    data: { name: diskFull.name, message: diskFull.message },
  });
  await nothingLeft();
});

test('a form of unknown size is aborted when the space is used up', async ({ skip }) => {
  skip(!isMounted, 'mounting a small file system needs root');
  const boundary = 'a-boundary';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="big.mp4"; filename="big.mp4"\r\ncontent-type: video/mp4\r\n\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const { status, text } = await send('POST', `${uploadPath}big.mp4`, headers, [head, `\r\n--${boundary}--\r\n`]);
  expect(status, text).toBe(507);
  expect(text).toContain(diskFull.message);
  await nothingLeft();
});

test('a resumable upload is aborted when other files use up the space meanwhile', async ({ skip }) => {
  skip(!isMounted, 'mounting a small file system needs root');
  const credential = { authorization: `Bearer ${admin.session.bearer}`, 'tus-resumable': '1.0.0' };
  const created = await fetch(product!.url + resumableUploadPath, {
    method: 'POST',
    headers: {
      ...credential,
      'upload-length': String(30 * 1024 ** 2),
      'upload-metadata': `filename ${Buffer.from('big.mp4').toString('base64')}`,
    },
  });
  expect(created.status).toBe(201);
  const path = created.headers.get('location')!;
  onTestFinished(() => rmSync(join(upload, 'others'), { force: true }));
  writeFileSync(join(upload, 'others'), Buffer.alloc(roomMiB * 1024 ** 2));
  const body = Buffer.alloc(30 * 1024 ** 2);
  const patch = { ...credential, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const answer = await fetch(product!.url + path, { method: 'PATCH', headers: patch, body });
  expect(answer.status).toBe(507);
  expect(await answer.text()).toContain(diskFull.message);
  rmSync(join(upload, 'others'));
  await nothingLeft();
  expect((await fetch(product!.url + path, { method: 'HEAD', headers: credential })).status).toBe(404);
});
