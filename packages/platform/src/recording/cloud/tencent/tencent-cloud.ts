// Tencent Cloud for recordings: identity, object bucket and video on demand.
import { z } from 'zod';
import type { Cloud } from '../cloud.ts';
import { createObjectBucket } from './object-bucket.ts';
import { applyUpload, createTencentApi, identify, prepareVod } from './tencent-api.ts';
import { findMedium } from './tencent-media.ts';
import { readRemux, startRemux } from './tencent-remux.ts';

/** @param standIn test server that replaces Tencent's hosts. */
export function createTencentCloud(standIn: URL | undefined): Cloud {
  const call = createTencentApi(standIn);
  const bucket = createObjectBucket(standIn);
  return {
    identify: (credentials) => identify(call, credentials),
    prepareBucket: (...place) => bucket.prepare(...place),
    prepareVod: (credentials, name) => prepareVod(call, credentials, name),
    putObject: (...object) => bucket.put(...object),
    objectUrl: (place) => bucket.url(place),
    applyUpload: (credentials, SubAppId, { name, mark }) =>
      applyUpload(call, credentials, { SubAppId, MediaName: name, SourceContext: mark }),
    async commitUpload(credentials, SubAppId, VodSessionKey) {
      const { FileId, MediaUrl } = await call(credentials, 'vod', {
        action: 'CommitUpload',
        request: { SubAppId, VodSessionKey },
        answer: z.object({ FileId: z.string(), MediaUrl: z.string() }),
      });
      return { fileId: FileId, mediaUrl: MediaUrl };
    },
    findMedium: (credentials, SubAppId, wanted) => findMedium(call, credentials, { SubAppId, ...wanted }),
    startRemux: (credentials, medium) => startRemux(call, credentials, medium),
    readRemux: (credentials, applicationId, taskId) => readRemux(call, credentials, { applicationId, taskId }),
  };
}
