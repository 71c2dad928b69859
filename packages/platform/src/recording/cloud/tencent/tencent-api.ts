// Calls of Tencent Cloud API 3.0 (signature TC3-HMAC-SHA256): identity (CAM) and video on demand (VOD). The SDK is loaded at the first
// call, because few installations use the cloud.

import { connect } from 'node:net';
import { because, verbatim } from '@srs-stack/contract';
import { Agent as HttpAgent } from '@srs-stack/process/node-http.ts';
import { z } from 'zod';
import { type CloudCredentials, CloudError, type UploadSession, type VodApplication } from '../cloud.ts';
import { toCloudError } from './tencent-errors.ts';

/** Timeout, seconds: these calls transfer no media. */
const timeoutSeconds = 20;
/** Renews a session this long before its end, milliseconds: enough to upload one segment over a slow connection. */
const sessionMarginMs = 300_000;
/** Assumed lifetime of an upload session without an expiry, milliseconds. */
const usualSessionMs = 1_800_000;
/** Maximum number of templates or applications per search: one page of the API. */
const pageSize = 100;
const maxDomains = 20;

const services = {
  cam: { host: 'cam.tencentcloudapi.com', version: '2019-01-16' },
  vod: { host: 'vod.tencentcloudapi.com', version: '2018-07-17' },
} as const;

/** Calls one action and validates its response; rejects with a CloudError. */
export type CallTencent = <Schema extends z.ZodType>(
  credentials: CloudCredentials,
  service: keyof typeof services,
  call: { readonly action: string; readonly request: object; readonly answer: Schema },
) => Promise<z.output<Schema>>;

/** @param standIn test server that replaces Tencent's hosts. */
export function createTencentApi(standIn: URL | undefined): CallTencent {
  const agent = standIn && standInAgent(standIn);
  return async (credentials, service, { action, request, answer }) => {
    const { CommonClient } = await import('tencentcloud-sdk-nodejs-common');
    const { host, version } = services[service];
    const client = new CommonClient(host, version, {
      credential: credentials,
      profile: {
        httpProfile: { reqTimeout: timeoutSeconds, ...(agent && { protocol: 'http://' as const, agent }) },
      },
    });
    const response = await client.request(action, request).catch((error) => {
      throw toCloudError(error, verbatim(action));
    });
    const parsed = answer.safeParse(response);
    if (parsed.success) return parsed.data;
    const what = because('cloud.unknown-answer');
    throw new CloudError('refused', 'UnknownAnswer', because('cloud.failed', { doing: verbatim(action), what }));
  };
}

/** Connects to the test server for any host; the Host header and the signature keep the real host. */
function standInAgent({ hostname, port }: URL): HttpAgent {
  const agent = new HttpAgent();
  agent.createConnection = () => connect({ host: hostname, port: Number(port) });
  return agent;
}

export async function identify(call: CallTencent, credentials: CloudCredentials): Promise<string> {
  const answer = z.object({ AppId: z.number() });
  const { AppId } = await call(credentials, 'cam', { action: 'GetUserAppId', request: {}, answer });
  return String(AppId);
}

export async function prepareVod(
  call: CallTencent,
  credentials: CloudCredentials,
  name: string,
): Promise<VodApplication> {
  const vod = <Schema extends z.ZodType>(action: string, request: object, answer: Schema) =>
    call(credentials, 'vod', { action, request, answer });
  const found = await vod('DescribeSubAppIds', { Name: name, Limit: pageSize }, subAppIds);
  const known = found.SubAppIdInfoSet.find(({ SubAppIdName, Status }) => SubAppIdName === name && Status === 'On');
  const id =
    known?.SubAppId ?? (await vod('CreateSubAppId', { Name: name }, z.object({ SubAppId: z.number() }))).SubAppId;
  const { StorageRegionInfos: regions } = await vod('DescribeStorageRegions', { SubAppId: id }, storageRegions);
  const opened = regions.filter(({ Status }) => Status === 'opened');
  const region = opened.find(({ IsDefault }) => IsDefault) ?? opened[0];
  if (!region) throw new CloudError('refused', 'NoStorageRegion', because('cloud.no-storage-region'));
  const templates = await vod(
    'DescribeTranscodeTemplates',
    { SubAppId: id, Type: 'Preset', ContainerType: 'Video', Limit: pageSize },
    transcodeTemplates,
  );
  const domains = await vod('DescribeVodDomains', { SubAppId: id, Limit: maxDomains }, vodDomains);
  return {
    id,
    storageRegion: region.Region,
    remuxDefinition: findRemuxTemplate(templates.TranscodeTemplateSet),
    domain: domains.DomainSet.find(({ DeployStatus }) => DeployStatus === 'Online')?.Domain ?? '',
  };
}

/** The preset that changes only the container; 0 when there is none. */
function findRemuxTemplate(templates: z.output<typeof transcodeTemplates>['TranscodeTemplateSet']): number {
  const isRemux = ({ Name = '', Comment = '', VideoTemplate }: (typeof templates)[number]) =>
    VideoTemplate?.Codec === 'copy' || /remux|转封装/i.test(`${Name} ${Comment}`);
  return Number(templates.find((each) => each.Container === 'mp4' && isRemux(each))?.Definition ?? 0);
}

export async function applyUpload(
  call: CallTencent,
  credentials: CloudCredentials,
  request: { SubAppId: number; MediaName: string; SourceContext: string },
): Promise<UploadSession> {
  const response = await call(credentials, 'vod', {
    action: 'ApplyUpload',
    request: { ...request, MediaType: 'm3u8' },
    answer: uploadGrant,
  });
  const { TempCertificate: certificate } = response;
  return {
    key: response.VodSessionKey,
    bucket: response.StorageBucket,
    region: response.StorageRegion,
    playlistKey: response.MediaStoragePath.replace(/^\//, ''),
    credentials: { secretId: certificate.SecretId, secretKey: certificate.SecretKey, token: certificate.Token },
    expiresAtMs: certificate.ExpiredTime
      ? certificate.ExpiredTime * 1000 - sessionMarginMs
      : Date.now() + usualSessionMs,
  };
}

const subAppIds = z.object({
  SubAppIdInfoSet: z.array(
    z.object({ SubAppId: z.number(), SubAppIdName: z.string().optional(), Status: z.string().optional() }),
  ),
});
const storageRegions = z.object({
  StorageRegionInfos: z.array(
    z.object({ Region: z.string(), Status: z.string().optional(), IsDefault: z.boolean().optional() }),
  ),
});
const transcodeTemplates = z.object({
  TranscodeTemplateSet: z.array(
    z.object({
      Definition: z.union([z.string(), z.number()]),
      Container: z.string().optional(),
      Name: z.string().optional(),
      Comment: z
        .string()
        .nullish()
        .transform((text) => text ?? undefined),
      VideoTemplate: z.object({ Codec: z.string().nullish() }).nullish(),
    }),
  ),
});
const vodDomains = z.object({
  DomainSet: z.array(z.object({ Domain: z.string(), DeployStatus: z.string().optional() })),
});
const uploadGrant = z.object({
  StorageBucket: z.string(),
  StorageRegion: z.string(),
  VodSessionKey: z.string(),
  MediaStoragePath: z.string(),
  TempCertificate: z.object({
    SecretId: z.string(),
    SecretKey: z.string(),
    Token: z.string(),
    ExpiredTime: z.number().optional(),
  }),
});
