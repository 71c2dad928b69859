// Object storage of Tencent COS: creates the bucket and uploads objects. The SDK is loaded at first use.
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { because } from '@srs-stack/contract';
import type COS from 'cos-nodejs-sdk-v5';
import type { CloudCredentials, ObjectBody, ObjectPlace } from '../cloud.ts';
import { toCloudError } from './tencent-errors.ts';

/** Timeout without data on a connection, milliseconds. */
const timeoutMs = 60_000;
/** Lifetime of a preflight response in browsers, seconds. */
const corsMaxAgeSeconds = 600;

export interface ObjectBucket {
  prepare(credentials: CloudCredentials, place: Omit<ObjectPlace, 'key'>): Promise<void>;
  put(
    credentials: CloudCredentials,
    object: ObjectPlace & { readonly body: ObjectBody; readonly contentType: string },
    signal: AbortSignal,
  ): Promise<void>;
  url(place: ObjectPlace): string;
}

/** @param standIn test server that replaces Tencent's hosts. */
export function createObjectBucket(standIn: URL | undefined): ObjectBucket {
  const open = async ({ secretId, secretKey, token }: CloudCredentials) => {
    const { default: Client } = await import('cos-nodejs-sdk-v5');
    return new Client({
      SecretId: secretId,
      SecretKey: secretKey,
      ...(token && { SecurityToken: token }),
      Timeout: timeoutMs,
      Protocol: standIn ? 'http:' : 'https:',
      // Connects to the test server; the Host header and the signature keep the real host.
      ...(standIn && { Ip: standIn.host }),
    } as COS.COSOptions);
  };
  return {
    async prepare(credentials, { bucket: Bucket, region: Region }) {
      const cos = await open(credentials);
      const place = { Bucket, Region };
      await cos.putBucket({ ...place, ACL: 'private' }).catch((error) => {
        if (!/^BucketAlreadyOwnedByYou$/.test(error?.code ?? ''))
          throw toCloudError(error, because('cloud.make-bucket', { bucket: Bucket }));
      });
      try {
        await cos.putBucketPolicy({ ...place, Policy: publicReadPolicy(place) });
        await cos.putBucketCors({ ...place, CORSRules: [anyPageMayRead] });
      } catch (error) {
        throw toCloudError(error, because('cloud.open-bucket', { bucket: Bucket }));
      }
    },

    async put(credentials, { bucket: Bucket, region: Region, key: Key, body, contentType }, signal) {
      const cos = await open(credentials);
      signal.throwIfAborted();
      const isFile = 'path' in body;
      const content = isFile ? undefined : Buffer.from(body.text);
      const Body = isFile ? createReadStream(body.path, { signal }) : Readable.from([content]);
      const ContentLength = isFile ? body.sizeBytes : (content?.length ?? 0);
      const sent = cos.putObject({ Bucket, Region, Key, Body, ContentLength, ContentType: contentType });
      // The SDK cannot abort a request that is already sent. The result of an aborted request is ignored.
      sent.catch(() => undefined);
      await Promise.race([sent, abortion(signal)]).catch((error) => {
        signal.throwIfAborted();
        throw isFile && isMissingFile(error) ? error : toCloudError(error, because('cloud.upload', { key: Key }));
      });
    },

    url: ({ bucket, region, key }) =>
      standIn ? new URL(`/${bucket}/${key}`, standIn).href : `https://${bucket}.cos.${region}.myqcloud.com/${key}`,
  };
}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function isMissingFile(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'open';
}

function publicReadPolicy({ Bucket, Region }: { Bucket: string; Region: string }): Record<string, unknown> {
  const owner = Bucket.slice(Bucket.lastIndexOf('-') + 1);
  return {
    version: '2.0',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { qcs: ['qcs::cam::anyone:anyone'] },
        Action: ['name/cos:GetObject', 'name/cos:HeadObject'],
        Resource: [`qcs::cos:${Region}:uid/${owner}:${Bucket}/*`],
      },
    ],
  };
}

const anyPageMayRead: COS.CORSRule = {
  AllowedOrigin: ['*'],
  AllowedMethod: ['GET', 'HEAD'],
  AllowedHeader: ['*'],
  ExposeHeader: ['Content-Length', 'Content-Range', 'ETag'],
  MaxAgeSeconds: corsMaxAgeSeconds,
};
