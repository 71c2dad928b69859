// Replaces Tencent Cloud on loopback: identity, object storage and video on demand, as far as recording uses them. Verifies every signature
// and stores uploads. A test can request failures of the real service.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { apiSigner, isApiSignature, isObjectSignature, objectSigner, type SignedRequest } from './tencent-signature.ts';

export const testCloudSecret = {
  secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3gnPhESA',
  secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
};
export const testAppId = 1_250_000_000;

/** Failure of uploads. `hang`: no response; `cut`: the connection breaks. */
type Trouble = 'none' | 'denied' | 'no-bucket' | 'busy' | 'hang' | 'cut';

interface StoredObject {
  readonly body: Buffer;
  readonly type: string;
}

interface Session {
  readonly directory: string;
  readonly bucket: string;
  readonly keys: { secretId: string; secretKey: string };
  readonly mark: string;
  fileId: string;
}

interface Medium {
  readonly fileId: string;
  readonly mark: string;
  readonly url: string;
  readonly createdAt: Date;
}

export class TencentDouble {
  readonly objects = new Map<string, StoredObject>();
  /** Bucket calls in order, e.g. `PUT bucket` or `PUT bucket?policy`. */
  readonly bucketCalls: string[] = [];
  readonly actions: string[] = [];
  readonly sessions = new Map<string, Session>();
  /** Media files. Every commit creates a file, even a repeated commit. */
  readonly media: Medium[] = [];
  /** Number of commits that are executed without a response. */
  lostCommitResponses = 0;
  /** Number of commits that are dropped without execution. */
  lostCommits = 0;
  trouble: Trouble = 'none';
  sessionSeconds = 7200;
  /** Number of polls until the result of a remux is ready. */
  remuxLooks = 0;
  /** Number of uploads without any response. */
  hanging = 0;
  hasVod = true;
  secretKey: string = testCloudSecret.secretKey;
  readonly #applications = new Map<string, number>();
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  keys(part: string): string[] {
    return [...this.objects.keys()].filter((key) => key.includes(part)).sort();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/', headers } = request;
    const signed: SignedRequest = {
      method,
      target: url,
      headers,
      body: await buffer(request).catch(() => Buffer.alloc(0)),
    };
    const host = String(headers.host);
    const bucket = /^([\w-]+)\.cos\.[\w-]+\.myqcloud\.com$/.exec(host)?.[1];
    if (bucket) this.#serveBucket(bucket, signed, response);
    else if (host.endsWith('.tencentcloudapi.com')) this.#serveApi(signed, response);
    else this.#play(url, response);
  }

  /** Responds to a player. Player requests have no signature, because objects are public. */
  #play(path: string, response: ServerResponse): void {
    const found = this.objects.get(decodeURIComponent(path.slice(1)));
    response.setHeader('access-control-allow-origin', '*');
    if (!found) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': found.type, 'content-length': found.body.length }).end(found.body);
  }

  #serveBucket(bucket: string, request: SignedRequest, response: ServerResponse): void {
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    if (this.trouble === 'hang') {
      this.hanging += 1;
      return;
    }
    if (this.trouble === 'cut') {
      response.destroy();
      return;
    }
    const secret = this.#secretOf(objectSigner(request), String(request.headers['x-cos-security-token'] ?? ''));
    if (secret === undefined) {
      refuse(403, 'InvalidAccessKeyId');
      return;
    }
    if (!isObjectSignature(request, secret)) {
      refuse(403, 'SignatureDoesNotMatch');
      return;
    }
    if (this.trouble === 'denied') {
      refuse(403, 'AccessDenied');
      return;
    }
    if (this.trouble === 'no-bucket') {
      refuse(404, 'NoSuchBucket');
      return;
    }
    if (this.trouble === 'busy') {
      refuse(503, 'ServiceUnavailable');
      return;
    }
    const [path = '/', query = ''] = request.target.split('?');
    if (path === '/') {
      this.bucketCalls.push(`${request.method} ${bucket}${query && `?${query.replace(/=$/, '')}`}`);
      response.writeHead(200).end();
      return;
    }
    const type = String(request.headers['content-type']);
    this.objects.set(`${bucket}${decodeURIComponent(path)}`, { body: request.body, type });
    response.writeHead(200, { etag: `"${randomBytes(16).toString('hex')}"` }).end();
  }

  #secretOf(secretId: string | undefined, token: string): string | undefined {
    if (secretId === testCloudSecret.secretId) return this.secretKey;
    const session = [...this.sessions.values()].find(({ keys }) => keys.secretId === secretId);
    return session && token === `token-${secretId}` ? session.keys.secretKey : undefined;
  }

  #serveApi(request: SignedRequest, response: ServerResponse): void {
    const send = (body: object) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ Response: { RequestId: 'r', ...body } }));
    const refuse = (Code: string) => send({ Error: { Code, Message: `refused: ${Code}` } });
    const signer = apiSigner(request);
    if (signer?.secretId !== testCloudSecret.secretId) {
      refuse('AuthFailure.SecretIdNotFound');
      return;
    }
    if (!isApiSignature(request, this.secretKey)) {
      refuse('AuthFailure.SignatureFailure');
      return;
    }
    const action = String(request.headers['x-tc-action']);
    this.actions.push(`${signer.service}:${action}`);
    if (action === 'CommitUpload' && this.lostCommits-- > 0) {
      response.destroy();
      return;
    }
    const result = this.#act(action, JSON.parse(request.body.toString() || '{}'));
    if (action === 'CommitUpload' && this.lostCommitResponses-- > 0) response.destroy();
    else if (typeof result === 'string') refuse(result);
    else send(result);
  }

  /** Executes an action. A string result is an error code. */
  #act(action: string, request: Record<string, unknown>): object | string {
    if (action === 'GetUserAppId') return { AppId: testAppId, Uin: '1', OwnerUin: '1' };
    if (!this.hasVod) return 'FailedOperation.InvalidVodUser';
    switch (action) {
      case 'DescribeSubAppIds':
        return {
          SubAppIdInfoSet: [...this.#applications].map(([SubAppIdName, SubAppId]) => ({
            SubAppIdName,
            SubAppId,
            Status: 'On',
          })),
        };
      case 'CreateSubAppId': {
        this.#applications.set(String(request.Name), 1_500_000_000 + this.#applications.size);
        return { SubAppId: this.#applications.get(String(request.Name)) };
      }
      case 'DescribeStorageRegions':
        return { StorageRegionInfos: [{ Region: 'ap-chongqing', Status: 'opened', IsDefault: true }] };
      case 'DescribeTranscodeTemplates':
        return {
          TranscodeTemplateSet: [
            { Definition: '100210', Container: 'mp4', Name: 'MP4-H264-360P', VideoTemplate: { Codec: 'libx264' } },
            { Definition: '875', Container: 'mp4', Name: 'MP4-Remux', Comment: null },
          ],
        };
      case 'DescribeVodDomains':
        return { DomainSet: [{ Domain: 'example.vod2.myqcloud.com', DeployStatus: 'Online' }] };
      default:
        return this.#actOnMedia(action, request);
    }
  }

  #actOnMedia(action: string, request: Record<string, unknown>): object | string {
    if (action === 'ApplyUpload') return this.#applyUpload(String(request.MediaType), String(request.SourceContext));
    if (action === 'SearchMedia') return this.#search(request.CreateTime as { After: string });
    if (action === 'CommitUpload') return this.#commit(String(request.VodSessionKey));
    if (action === 'ProcessMedia') return { TaskId: `task-${String(request.FileId)}` };
    if (action === 'DescribeTaskDetail') return this.#taskDetail();
    return 'InvalidAction';
  }

  #applyUpload(mediaType: string, mark: string): object | string {
    if (mediaType !== 'm3u8') return 'InvalidParameterValue.MediaType';
    const id = randomBytes(6).toString('hex');
    const bucket = `vodbucket-${testAppId}`;
    const keys = { secretId: `AKTMP${id}`, secretKey: randomBytes(12).toString('hex') };
    this.sessions.set(`session-${id}`, { directory: `d${id}`, bucket, keys, mark, fileId: '' });
    return {
      StorageBucket: bucket,
      StorageRegion: 'ap-chongqing',
      VodSessionKey: `session-${id}`,
      MediaStoragePath: `/d${id}/f0.m3u8`,
      TempCertificate: {
        SecretId: keys.secretId,
        SecretKey: keys.secretKey,
        Token: `token-${keys.secretId}`,
        ExpiredTime: Math.floor(Date.now() / 1000) + this.sessionSeconds,
      },
    };
  }

  /** A playlist becomes a media file only if its folder has all segments. */
  #commit(key: string): object | string {
    const session = this.sessions.get(key);
    const place = session && `${session.bucket}/${session.directory}`;
    const playlist = session && this.objects.get(`${place}/f0.m3u8`)?.body.toString();
    if (!session || !playlist) return 'InvalidParameterValue.VodSessionKey';
    const names = playlist.split('\n').filter((line) => line.endsWith('.ts'));
    if (names.some((name) => !this.objects.has(`${place}/${name}`))) return 'FailedOperation.MediaIncomplete';
    const medium = {
      fileId: `52858907${randomBytes(4).toString('hex')}`,
      mark: session.mark,
      url: `${this.url}/${place}/f0.m3u8`,
      createdAt: new Date(),
    };
    session.fileId = medium.fileId;
    this.media.push(medium);
    return { FileId: medium.fileId, MediaUrl: medium.url };
  }

  #search({ After }: { After: string }): object {
    const found = this.media.filter(({ createdAt }) => createdAt >= new Date(After));
    const MediaInfoSet = found.map(({ fileId, url, mark }) => ({
      FileId: fileId,
      BasicInfo: { MediaUrl: url, SourceInfo: { SourceType: 'Upload', SourceContext: mark } },
    }));
    return { TotalCount: found.length, MediaInfoSet };
  }

  #taskDetail(): object {
    if (this.remuxLooks-- > 0) return { Status: 'PROCESSING', ProcedureTask: { MediaProcessResultSet: [] } };
    const Output = {
      Url: `${this.url}/f0.mp4`,
      Bitrate: 800_000,
      Height: 360,
      Width: 640,
      Size: 1_000_000,
      Duration: 10,
      Md5: 'd41d8cd9',
    };
    const MediaProcessResultSet = [{ Type: 'Transcode', TranscodeTask: { Status: 'SUCCESS', Output } }];
    return { Status: 'FINISH', ProcedureTask: { ErrCode: 0, MediaProcessResultSet } };
  }
}
