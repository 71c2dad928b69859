// Recording to Tencent Cloud: DVR stores to a bucket, VoD to video on demand. Kept for existing users.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxCloudSecretLength } from '../limits.ts';
import { cloudAccount, dvrRow, vodRow } from '../models/cloud-recording.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { paths } from '../paths.ts';

const tag = 'Cloud recording';
const token = z.string().optional();
const switchAll = z.object({ token, all: z.boolean().default(false) });
const oneTask = z.object({ token, uuid: z.string().min(1).max(64) });
const secret = z.string().trim().min(1).max(maxCloudSecretLength);

export const queryDvr = defineEndpoint({
  ...paths.queryDvr,
  tag,
  summary: 'Returns the rules of DVR, and whether the cloud credentials are complete.',
  request: emptyRequest,
  response: z.object({ all: z.boolean(), secret: z.boolean() }),
});

export const applyDvr = defineEndpoint({
  ...paths.applyDvr,
  tag,
  summary: 'Switches DVR of all streams on or off; refused while VoD is on.',
  request: switchAll,
  response: nullData,
});

export const queryDvrFiles = defineEndpoint({
  ...paths.queryDvrFiles,
  tag,
  summary: 'Lists the recordings in the object bucket, newest first.',
  request: emptyRequest,
  response: z.array(dvrRow),
});

export const removeDvr = defineEndpoint({
  ...paths.removeDvr,
  tag,
  summary: 'Removes a DVR recording and its files on this server; files in the bucket stay.',
  request: oneTask,
  response: nullData,
});

export const queryVod = defineEndpoint({
  ...paths.queryVod,
  tag,
  summary: 'Returns the rules of VoD, and whether credentials, application and storage region are known.',
  request: emptyRequest,
  response: z.object({ all: z.boolean(), secret: z.boolean(), service: z.boolean(), storage: z.boolean() }),
});

export const applyVod = defineEndpoint({
  ...paths.applyVod,
  tag,
  summary: 'Switches VoD of all streams on or off; refused while DVR is on.',
  request: switchAll,
  response: nullData,
});

export const queryVodFiles = defineEndpoint({
  ...paths.queryVodFiles,
  tag,
  summary: 'Lists the VoD recordings in the cloud, newest first, with their MP4 once it exists.',
  request: emptyRequest,
  response: z.array(vodRow),
});

export const removeVod = defineEndpoint({
  ...paths.removeVod,
  tag,
  summary: 'Removes a VoD recording and its files on this server; files in the cloud stay.',
  request: oneTask,
  response: nullData,
});

export const updateCloudSecret = defineEndpoint({
  ...paths.updateCloudSecret,
  tag,
  summary: 'Checks and saves the cloud credentials, then prepares the bucket and video on demand.',
  request: z.object({ token, secretId: secret, secretKey: secret }),
  response: nullData,
});

export const queryCloudAccount = defineEndpoint({
  ...paths.queryCloudAccount,
  tag,
  summary: 'Returns the cloud account in use, with the masked id of its credentials.',
  request: emptyRequest,
  response: cloudAccount,
});
