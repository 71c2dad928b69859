// The calls of virtual live, with real files and ffprobe: sources, playlists, the library, refusals.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTestPlatform, type TestPlatform, testBearer } from '../src/testing/test-platform.ts';

let clips: string;
let platform: TestPlatform;
let base: string;
const bearer = { authorization: `Bearer ${testBearer}` };
beforeAll(() => {
  clips = mkdtempSync(join(tmpdir(), 'srs-clips-'));
  makeClip('a.mp4');
  makeClip('b.mp4', ['-s', '320x180']);
  makeClip('silent.mp4', ['-an']);
  // At a constant bitrate the encoder adds filler data, which does not fit into one slice. Two threads make two slices on every machine.
  const constantRate = ['-b:v', '20M', '-minrate', '20M', '-maxrate', '20M', '-bufsize', '2M'];
  makeClip('fast.ts', ['-c:v', 'mpeg2video', '-threads', '2', ...constantRate]);
  writeFileSync(join(clips, 'text.mp4'), 'no film at all '.repeat(100));
  writeFileSync(join(clips, 'empty.mp4'), '');
});
afterAll(() => rmSync(clips, { recursive: true }));
beforeEach(async () => {
  platform = await openTestPlatform();
  base = await platform.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => platform.dispose());

function makeClip(name: string, options: string[] = []): void {
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=10', '-f', 'lavfi', '-i', 'sine'];
  execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-t', '1', ...options, join(clips, name)]);
}

async function uploadBytes(name: string, content: Buffer, headers: Record<string, string> = bearer, query = '') {
  const form = new FormData();
  form.append(name, new Blob([new Uint8Array(content)]), name);
  return send(`/terraform/v1/ffmpeg/vlive/upload/${encodeURIComponent(name)}${query}`, {
    method: 'POST',
    headers,
    body: form,
  });
}
async function send(path: string, init: RequestInit) {
  const response = await fetch(base + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const upload = async (name: string) => uploadBytes(name, await readFile(join(clips, name)));
async function item(name: string) {
  const { body } = await upload(name);
  return { name, size: 1, ...body.data, type: 'upload' };
}
const adopt = (files: object[], to = 'wx') => platform.call('vliveSource', { platform: to, files });
const folderOf = (name: string) => readdirSync(join(platform.dataDir, name)).filter((entry) => !entry.startsWith('.'));
const partials = () => readdirSync(join(platform.dataDir, 'upload/.partial'));

describe('uploads', () => {
  it('return the location of the file, which can then be a source', async () => {
    const { status, body } = await upload('a.mp4');
    expect(status).toBe(200);
    expect(body.data.target).toBe(`upload/${body.data.uuid}.mp4`);
    expect(await readFile(join(platform.dataDir, body.data.target))).toEqual(await readFile(join(clips, 'a.mp4')));
    expect(partials()).toEqual([]);
  });

  it('are identified by content when the name is wrong', async () => {
    const content = await readFile(join(clips, 'a.mp4'));
    expect((await uploadBytes('really-mp4.flv', content)).body.data.target).toMatch(/\.mp4$/);
    expect((await uploadBytes('../../évil\nname.mp4', content)).status).toBe(200);
    expect(folderOf('upload').every((name) => /^[\w-]+\.mp4$/.test(name))).toBe(true);
    const { files } = (await platform.call('queryLibrary')).body.data;
    expect(files.map(({ name }: { name: string }) => name).sort()).toEqual(['really-mp4.flv', 'évil name.mp4']);
  });

  it.each([
    ['text.mp4', 415, 'fileTypeRefused'],
    ['empty.mp4', 422, 'mediaUnusable'],
  ])('of %s are refused and leave nothing', async (name, status, error) => {
    const response = await upload(name);
    expect([response.status, response.body.data.name]).toEqual([status, error]);
    if (error === 'fileTypeRefused') expect(response.body.data.message).toContain('mp4/flv/ts');
    expect([...folderOf('upload'), ...partials()]).toEqual([]);
  });

  it('need an accepted name, a credential and a complete form', async () => {
    const content = await readFile(join(clips, 'a.mp4'));
    expect((await uploadBytes('a.exe', content)).status).toBe(415);
    expect((await uploadBytes('a.mp4', content, {})).status).toBe(401);
    expect((await uploadBytes('a.mp4', content, { authorization: 'Bearer wrong' })).status).toBe(401);
    await platform.call('init', { password: 'correct' }, {});
    const { token } = (await platform.call('login', { password: 'correct' }, {})).body.data;
    expect((await uploadBytes('a.mp4', content, {}, `?token=${token}`)).status).toBe(200);
    const path = '/terraform/v1/ffmpeg/vlive/upload/a.mp4';
    const headers = { ...bearer, 'content-type': 'multipart/form-data; boundary=x' };
    const start = '--x\r\ncontent-disposition: form-data; name="a"; filename="a.mp4"\r\n\r\nhalf';
    for (const [type, body] of [
      [headers['content-type'], start],
      [headers['content-type'], '--x--\r\n'],
      ['text/plain', 'x'],
      ['multipart/form-data', start],
    ] as const) {
      const cut = await send(path, { method: 'POST', headers: { ...headers, 'content-type': type }, body });
      expect([cut.status, cut.body.data?.name], type).toEqual([400, 'uploadIncomplete']);
    }
    expect(partials()).toEqual([]);
  });

  describe('of a client that only has the session token', () => {
    const path = '/terraform/v1/ffmpeg/vlive/upload/a.mp4';
    let token: string;
    beforeEach(async () => {
      token = (await platform.call('init', { password: 'correct' }, {})).body.data.token;
    });
    const film = () => readFile(join(clips, 'a.mp4'));
    /** Posts form fields in this order. A Buffer is sent as a file. */
    const form = async (
      fields: readonly (readonly [string, string | Buffer])[],
      headers: Record<string, string> = {},
    ) => {
      const body = new FormData();
      for (const [name, value] of fields) {
        if (typeof value === 'string') body.append(name, value);
        else body.append(name, new Blob([new Uint8Array(value)]), 'a.mp4');
      }
      return send(path, { method: 'POST', headers, body });
    };
    const nothingWritten = () => expect([...folderOf('upload'), ...partials()]).toEqual([]);

    it.each([
      ['the first field', []],
      ['a field after others', [['name', 'a.mp4']]],
    ] as const)('are accepted with it as %s', async (_name, before) => {
      const { status, body } = await form([...before, ['token', token], ['a.mp4', await film()]]);
      expect([status, body.data.name]).toEqual([200, undefined]);
      expect(await readFile(join(platform.dataDir, body.data.target))).toEqual(await film());
    });

    it('are accepted with it as bearer', async () => {
      const headers = { authorization: `Bearer ${token}` };
      expect((await form([['a.mp4', await film()]], headers)).status).toBe(200);
      // Other calls refuse this token as bearer.
      expect((await platform.call('status', {}, headers)).status).toBe(401);
    });

    it('are refused without writing a byte when it is wrong, late, expired, too far down, or of another kind', async () => {
      const content = await film();
      const { bearer: sessionBearer } = (await platform.call('login', { password: 'correct' }, {})).body.data;
      for (const [name, fields] of Object.entries({
        missing: [['a.mp4', content]],
        empty: [
          ['token', ''],
          ['a.mp4', content],
        ],
        wrong: [
          ['token', `${token}x`],
          ['a.mp4', content],
        ],
        late: [
          ['a.mp4', content],
          ['token', token],
        ],
        'too far down': [
          ['note', 'x'.repeat(8_192)],
          ['token', token],
          ['a.mp4', content],
        ],
        secret: [
          ['token', testBearer],
          ['a.mp4', content],
        ],
        bearer: [
          ['token', sessionBearer],
          ['a.mp4', content],
        ],
      } as const)) {
        const { status, body } = await form(fields);
        expect([status, body.data?.name], name).toEqual([401, 'tokenInvalid']);
        nothingWritten();
      }
      // A credential in another place takes precedence over the form field.
      const right = [
        ['token', token],
        ['a.mp4', content],
      ] as const;
      expect((await form(right, { authorization: 'Bearer wrong' })).status).toBe(401);
      await platform.call('signOutEverywhere', {});
      expect((await form(right)).status).toBe(401);
      nothingWritten();
    });

    it('get the error about the file only after authentication', async () => {
      const body = new FormData();
      body.append('token', 'wrong');
      body.append('a.exe', new Blob(['x']), 'a.exe');
      const url = '/terraform/v1/ffmpeg/vlive/upload/a.exe';
      expect((await send(url, { method: 'POST', body })).status).toBe(401);
      const known = new FormData();
      known.append('token', token);
      known.append('a.exe', new Blob(['x']), 'a.exe');
      const refused = await send(url, { method: 'POST', body: known });
      expect([refused.status, refused.body.data.message]).toEqual([415, expect.stringContaining('mp4/flv/ts')]);
    });

    it.each([
      ['a wrong token', (): string => 'wrong', 'a.mp4', 401],
      ['a file of a refused type', (): string => token, 'a.exe', 415],
    ] as const)('keep their connection usable when they are refused for %s', async (_name, shown, name, status) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      const ask = (url: string, headers: Record<string, string | number>, body: Buffer) =>
        new Promise<number | undefined>((resolve, reject) => {
          const request = httpRequest(base + url, { method: 'POST', headers, agent }, (response) => {
            response.resume().on('end', () => resolve(response.statusCode));
          });
          request.on('error', reject).end(body);
        });
      const start = `--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n${shown()}\r\n--x\r\nContent-Disposition: form-data; name="a"; filename="${name}"\r\n\r\n`;
      // Larger than the system's socket buffers, so that a server that stops reading blocks the sender.
      const body = Buffer.concat([Buffer.from(start), Buffer.alloc(8_000_000)]);
      const type = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': body.length };
      expect(await ask(`/terraform/v1/ffmpeg/vlive/upload/${name}`, type, body)).toBe(status);
      expect(await ask('/terraform/v1/mgmt/versions', {}, Buffer.alloc(0))).toBe(200);
    });

    it('leave nothing behind when they are interrupted at any byte of the beginning', async () => {
      const start = [
        '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n',
        token,
        '\r\n--x\r\nContent-Disposition: form-data; name="a"; filename="a.mp4"\r\n\r\nhalf a film',
      ].join('');
      for (let length = 0; length <= start.length; length++) {
        await new Promise<void>((resolve) => {
          const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 9_000_000 };
          const request = httpRequest(base + path, { method: 'POST', headers });
          request.on('error', () => resolve()).on('close', () => resolve());
          request.flushHeaders();
          request.write(start.slice(0, length), () => setImmediate(() => request.destroy()));
        });
      }
      await vi.waitUntil(() => partials().length === 0, { timeout: 5_000 });
      expect(folderOf('upload')).toEqual([]);
      expect(
        (
          await form([
            ['token', token],
            ['a.mp4', await film()],
          ])
        ).status,
      ).toBe(200);
    });
  });

  it('that are interrupted leave nothing', async () => {
    const request = httpRequest(`${base}/terraform/v1/ffmpeg/vlive/upload/a.mp4`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'multipart/form-data; boundary=x', 'content-length': 9_000_000 },
    });
    request.on('error', () => undefined);
    request.write('--x\r\ncontent-disposition: form-data; name="a"; filename="a.mp4"\r\n\r\n');
    request.write(Buffer.alloc(100_000));
    await vi.waitUntil(() => partials().length === 1, { timeout: 5_000 });
    request.destroy();
    await vi.waitUntil(() => partials().length === 0, { timeout: 5_000 });
    expect(folderOf('upload')).toEqual([]);
  });

  it('can be resumed; the file is in the library by the id of the upload', async () => {
    const content = await readFile(join(clips, 'a.mp4'));
    const tus = (method: 'POST' | 'PATCH', path: string, headers: Record<string, string>, body?: Buffer) =>
      send(path, {
        method,
        headers: { ...bearer, 'tus-resumable': '1.0.0', ...headers },
        ...(body ? { body: new Uint8Array(body) } : {}),
      });
    const create = (name: string, length: number) =>
      tus('POST', '/terraform/v1/ffmpeg/vlive/uploads', {
        'upload-length': String(length),
        'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
      });
    const refused = await create('a.exe', 5);
    expect([refused.status, refused.body.data.name]).toEqual([415, 'fileTypeRefused']);
    expect((await create('a.mp4', 2 ** 50)).status).toBe(413);
    const created = await create('a.mp4', content.length);
    expect(created.status).toBe(201);
    const location = created.headers.get('location') ?? '';
    expect(location).toMatch(/^\/terraform\/v1\/ffmpeg\/vlive\/uploads\/[0-9a-f-]{36}$/);
    const type = { 'content-type': 'application/offset+octet-stream' };
    const steps = [0, 1, 500, content.length];
    for (const [index, from] of steps.slice(0, -1).entries()) {
      const sent = await tus(
        'PATCH',
        location,
        { ...type, 'upload-offset': String(from) },
        content.subarray(from, steps[index + 1]),
      );
      expect(sent.status).toBe(204);
      expect(
        (await tus('PATCH', location, { ...type, 'upload-offset': '7' }, Buffer.from('x'))).status,
      ).toBeGreaterThanOrEqual(400);
    }
    const [file] = (await platform.call('queryLibrary')).body.data.files;
    expect(file).toMatchObject({ uuid: location.split('/').at(-1), name: 'a.mp4', size: content.length, usedBy: [] });
    expect(await readFile(join(platform.dataDir, file.target))).toEqual(content);
  });
});

describe('files of the server', () => {
  const ask = (file: string) => platform.call('vliveServerFile', { file });

  it('are accepted from inside the data folder', async () => {
    linkSync(join(clips, 'a.mp4'), join(platform.dataDir, 'film.mp4'));
    for (const file of ['/data/film.mp4', 'upload/../film.mp4', join(platform.dataDir, 'film.mp4')]) {
      const { status, body } = await ask(file);
      expect(status, file).toBe(200);
      expect(body.data).toMatchObject({ name: 'film.mp4', target: `upload/${body.data.uuid}.mp4` });
    }
    const inQuery = await platform.callPath('/terraform/v1/ffmpeg/vlive/server?file=/data/film.mp4', {});
    expect(inQuery.status).toBe(200);
  });

  it.each([
    ['', 400, 'Please input file path'],
    ['/etc/passwd', 400, 'The file must be in the /data directory.'],
    ['/database/x.mp4', 400, 'The file must be in the /data directory.'],
    ['/data/../../etc/passwd', 400, 'The file must be in the /data directory.'],
    ['/data/link.mp4', 400, 'The file must be in the /data directory.'],
    ['/data/config/.env', 415, 'The file must be in mp4/flv/ts'],
    ['/data/nothing.mp4', 404, 'there is no such file'],
    ['/data/a\0.mp4', 400, 'The file must be in the /data directory.'],
    ['/data/folder.mp4', 404, 'not a file'],
  ])('refuse %j', async (file, status, words) => {
    symlinkSync(join(clips, 'a.mp4'), join(platform.dataDir, 'link.mp4'));
    mkdirSync(join(platform.dataDir, 'folder.mp4'));
    writeFileSync(join(platform.dataDir, 'config/.env'), 'x');
    const response = await ask(file);
    expect([response.status, response.body.data.message]).toEqual([status, expect.stringContaining(words)]);
    expect([...folderOf('upload'), ...partials()]).toEqual([]);
  });
});

describe('addresses of streams', () => {
  it.each([
    'rtmp://h:1935/live/s?secret=x',
    'rtsp://u:p@h/1',
    'srt://h:1?streamid=#!::r=live/s',
    'https://h/a/live.m3u8?t=1',
    'http://h/x.flv',
  ])('accept %s', async (url) => {
    const { body } = await platform.call('vliveStreamUrl', { url });
    expect(body.data).toMatchObject({ target: url, size: 0 });
    const alias = await platform.callPath(`/terraform/v1/ffmpeg/vlive/stream-url?url=${url.replace('#', '%23')}`, {});
    expect(alias.body.data.target).toBe(url);
  });

  it.each([
    ['', 'Please input stream URL'],
    ['ftp://h/x.flv', 'The stream must be rtmp/http/https/rtsp/srt'],
    ['file:///etc/passwd', 'The stream must be rtmp/http/https/rtsp/srt'],
    ['http://h/film.mp4', 'The HTTP stream must be http-flv/hls'],
    ['http://h/x?y=.flv', 'The HTTP stream must be http-flv/hls'],
    ['http://169.254.169.254/x.flv', 'never contacted'],
    ['rtmp://h/a b', 'spaces'],
  ])('refuse %j', async (url, words) => {
    const { status, body } = await platform.call('vliveStreamUrl', { url });
    expect([status, body.data.message]).toEqual([400, expect.stringContaining(words)]);
  });
});

describe('sources', () => {
  it('are probed, stored and listed', async () => {
    const file = await item('a.mp4');
    const { status, body } = await adopt([{ ...file, path: 'p', extra: 1 }]);
    expect(status).toBe(200);
    const [source] = body.data.files;
    expect(source).toMatchObject({
      name: 'a.mp4',
      uuid: file.uuid,
      type: 'upload',
      target: `vlive/${file.uuid}.mp4`,
      format: { nb_streams: 2, has_video: true, has_audio: true },
      video: { codec_type: 'video', codec_name: 'h264', width: 160, height: 120 },
      audio: { codec_type: 'audio', codec_name: 'aac', sample_rate: '44100', channels: 1 },
    });
    expect(Number(source.format.duration)).toBeGreaterThan(0.9);
    expect(folderOf('vlive')).toEqual([`${file.uuid}.mp4`]);
    expect(folderOf('upload')).toEqual([]);
    const { data } = (await platform.call('vliveSecret')).body;
    expect(data.wx).toMatchObject({
      platform: 'wx',
      server: '',
      secret: '',
      enabled: false,
      files: [{ uuid: file.uuid }],
    });
    const [row] = (await platform.call('vliveStreams')).body.data;
    expect(row).toMatchObject({
      platform: 'wx',
      files: [{ uuid: file.uuid }],
      transcoded: { video: false, audio: false },
    });
    expect(row).not.toHaveProperty('source');
  });

  it('may be several files of different sizes, but with the same tracks', async () => {
    const files = [await item('a.mp4'), await item('b.mp4')];
    const { body } = await adopt(files);
    expect(body.data.files.map(({ name }: { name: string }) => name)).toEqual(['a.mp4', 'b.mp4']);
    const refused = await adopt([await item('a.mp4'), await item('silent.mp4')], 'bilibili');
    expect([refused.status, refused.body.data.message]).toEqual([
      422,
      expect.stringContaining('silent.mp4 has different tracks'),
    ]);
    expect((await platform.call('vliveSecret')).body.data).not.toHaveProperty('bilibili');
  });

  it.each([
    [[], 400, 'Please upload video source'],
    [[{ name: 'x', target: '' }], 400, 'no `target` field'],
    [[{ name: 'x', target: '/etc/passwd' }], 404, 'no such file'],
    [[{ name: 'x', target: 'upload/../config/.env' }], 404, 'no such file'],
    [[{ name: 'x', target: 'upload/gone.mp4' }], 404, 'no such file'],
    [[{ target: 'rtmp://127.0.0.1/a/b', type: 'stream' }, { target: 'upload/x.mp4' }], 400, 'must be the only source'],
    [[{ target: 'rtmp://127.0.0.1:1/a/b', type: 'stream' }], 422, 'refused'],
    [[{ target: 'rtmp://no-such-host.invalid/a/b', type: 'stream' }], 422, 'cannot be resolved'],
    [[{ target: 'rtmp://2852039166/a/b', type: 'stream' }], 400, 'never contacted'],
  ])('refuse %j', async (files, status, words) => {
    const { status: found, body } = await adopt(files);
    expect([found, body.data.message]).toEqual([status, expect.stringContaining(words)]);
    expect((await platform.call('vliveSecret')).body.data).toEqual({});
  });

  it('above the bitrate limit are refused, and the file stays for another attempt', async () => {
    const file = await item('fast.ts');
    const refused = await adopt([file]);
    expect([refused.status, refused.body.data.name]).toEqual([422, 'sourceBitrateTooHigh']);
    await platform.call('updateLimits', { vlive: 100_000, camera: 100_000 });
    expect((await adopt([file])).status).toBe(200);
  });

  it('that are damaged are deleted', async () => {
    const content = await readFile(join(clips, 'a.mp4'));
    const { body } = await uploadBytes('cut.mp4', content.subarray(0, 600));
    const refused = await adopt([{ name: 'cut.mp4', type: 'upload', ...body.data }]);
    expect([refused.status, refused.body.data.name]).toEqual([422, 'mediaUnusable']);
    expect(refused.body.data.message).not.toContain(platform.dataDir);
    expect(folderOf('upload')).toEqual([]);
  });
});

describe('targets', () => {
  const valid = { action: 'update', platform: 'wx', server: 'rtmp://127.0.0.1/live/', secret: 'key' };
  const stream = { name: 's', uuid: 'u', target: 'rtmp://127.0.0.1/live/s', type: 'stream' };

  it.each([
    [{ files: [] }, 'Please upload video source'],
    [{ server: '' }, 'Please input stream URL'],
    [{ platform: 'forwarding-1' }, 'Invalid platform'],
    [{ files: [{ target: '/etc/passwd' }] }, 'The file must be in the /data directory.'],
    [{ files: [{ target: 'file:///etc/passwd', type: 'stream' }] }, 'The stream must be'],
    [{ startAt: 'tomorrow' }, 'Invalid start time "tomorrow", should be like'],
  ])('refuse %j', async (fields, words) => {
    const { status, body } = await platform.call('vliveSecret', { ...valid, files: [stream], ...fields });
    expect([status, body.data.message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('accept a custom platform without a label, as scripts of earlier releases send it', async () => {
    const sent = { ...valid, files: [stream], custom: true, enabled: true };
    expect((await platform.call('vliveSecret', sent)).status).toBe(200);
    expect((await platform.call('vliveSecret')).body.data.wx).toMatchObject({ custom: true, label: '' });
  });

  it('accept a complete object again, including values that older releases stored', async () => {
    const sent = {
      ...valid,
      files: [{ ...stream, video: null, audio: null, format: { duration: '1', bit_rate: 'x' } }],
    };
    expect((await platform.call('vliveSecret', sent)).status).toBe(200);
    const { wx } = (await platform.call('vliveSecret')).body.data;
    expect((await platform.call('vliveSecret', { action: 'update', ...wx, label: 'again' })).status).toBe(200);
    expect((await platform.call('vliveSecret')).body.data.wx).toEqual({ ...wx, label: 'again' });
    expect((await platform.call('removeVlive', { platform: 'wx' })).status).toBe(200);
    expect((await platform.call('vliveSecret')).body.data).toEqual({});
  });
});

describe('the library', () => {
  it('shares a file between several targets and deletes it only when none uses it', async () => {
    const file = await item('a.mp4');
    await adopt([file], 'wx');
    const [kept] = (await platform.call('queryLibrary')).body.data.files;
    expect(kept).toMatchObject({ uuid: file.uuid, usedBy: ['wx'], expiresAt: '', target: `vlive/${file.uuid}.mp4` });
    expect((await adopt([kept], 'vlive-2')).status).toBe(200);
    const refused = await platform.call('removeLibraryFile', { uuid: file.uuid });
    expect([refused.status, refused.body.data.message]).toEqual([409, expect.stringContaining('vlive-2, wx')]);
    await adopt([await item('b.mp4')], 'wx');
    await platform.call('removeVlive', { platform: 'vlive-2' });
    expect(existsSync(join(platform.dataDir, kept.target))).toBe(true);
    expect((await platform.call('removeLibraryFile', { uuid: file.uuid })).status).toBe(200);
    expect(existsSync(join(platform.dataDir, kept.target))).toBe(false);
    expect((await platform.call('removeLibraryFile', { uuid: file.uuid })).status).toBe(404);
  });

  it('removes unused files after two hours and unfinished ones after a day', async () => {
    const used = await item('a.mp4');
    await adopt([used]);
    await item('b.mp4');
    const old = join(platform.dataDir, 'upload/.partial/abandoned');
    writeFileSync(old, 'x');
    const { files } = (await platform.call('queryLibrary')).body.data;
    const unused = files.find(({ name }: { name: string }) => name === 'b.mp4');
    expect(Date.parse(unused.expiresAt) - platform.clock.nowMs).toBe(2 * 3_600_000);
    await platform.modules.tasks.vlives.cleanUp();
    expect(folderOf('upload')).toHaveLength(1);
    platform.clock.nowMs += 2 * 3_600_000 + 1;
    await platform.modules.tasks.vlives.cleanUp();
    expect(folderOf('upload')).toEqual([]);
    expect(folderOf('vlive')).toHaveLength(1);
    platform.clock.nowMs = Date.now() + 1_000;
    utimesSync(old, new Date(), new Date());
    await platform.modules.tasks.vlives.cleanUp();
    expect(partials()).toEqual(['abandoned']);
    platform.clock.nowMs = Date.now() + 25 * 3_600_000;
    await platform.modules.tasks.vlives.cleanUp();
    expect(partials()).toEqual([]);
    expect((await platform.call('queryLibrary')).body.data.files).toHaveLength(1);
  });
});

describe('a start time', () => {
  const startAt = '2026-01-02T04:00:00.000Z';
  const rowOf = async () => (await platform.call('vliveStreams')).body.data[0];
  const untilState = (state: string) =>
    vi.waitFor(async () => expect((await rowOf()).state).toBe(state), { timeout: 10_000, interval: 50 });
  /** No process listens at the target, so a started task fails and is retried. */
  const save = async (fields: object) => {
    const files =
      (await platform.call('vliveSecret')).body.data?.wx?.files ?? (await adopt([await item('a.mp4')])).body.data.files;
    const target = { platform: 'wx', server: 'rtmp://127.0.0.1:1/live/', secret: 'key', enabled: true, files };
    return platform.call('vliveSecret', { action: 'update', ...target, ...fields });
  };
  beforeEach(() => platform.start());

  it('is awaited, reported, and survives a restart; then it starts', async () => {
    expect((await save({ startAt: '2026-01-02T12:00:00+08:00' })).status).toBe(200);
    await untilState('waiting');
    expect(await rowOf()).toMatchObject({ reason: 'scheduled', reasonDetail: `starts at ${startAt}`, startAt, pid: 0 });
    platform = await platform.reopen();
    platform.start();
    await untilState('waiting');
    expect(await rowOf()).toMatchObject({ reason: 'scheduled', startAt, restarts: 0 });
    platform.clock.nowMs = Date.parse(startAt);
    await untilState('retrying');
    expect(await rowOf()).toMatchObject({ startAt });
  });

  it('is changed and cleared; a client that does not support it leaves it unchanged', async () => {
    await save({ startAt });
    await save({ label: 'by an older client' });
    expect((await platform.call('vliveSecret')).body.data.wx).toMatchObject({ startAt, label: 'by an older client' });
    await save({ startAt: '2026-01-03T04:00:00Z' });
    await vi.waitFor(
      async () => expect((await rowOf()).reasonDetail).toBe('starts at 2026-01-03T04:00:00.000Z'),
      10_000,
    );
    await save({ startAt: '' });
    await untilState('retrying');
    expect((await rowOf()).startAt).toBe('');
  });

  it('does not hide that a file is missing', async () => {
    await save({ startAt });
    await untilState('waiting');
    for (const name of folderOf('vlive')) rmSync(join(platform.dataDir, 'vlive', name));
    await untilState('error');
    expect(await rowOf()).toMatchObject({ reason: 'file-missing' });
  });
});
