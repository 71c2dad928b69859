// Recording to the cloud: an account, and running, waiting and finished tasks.
import type { CloudAccount, DvrRow, VodRow } from '@srs-stack/contract';
import { recordings } from './recordings.ts';

export const noAccount: CloudAccount = { secretId: '', bucket: '', region: '', application: '', storageRegion: '' };
export const account: CloudAccount = {
  secretId: 'AKID****8Xq2',
  bucket: 'srs-lighthouse-1250000000',
  region: 'ap-guangzhou',
  application: 'srs',
  storageRegion: 'ap-guangzhou',
};

const { state: _state, mp4Size: _mp4Size, ...recording } = recordings[2]!;
const fine = { uploaded: 313, problemKind: null, problem: '', retryAt: '' };
const bucket = { bucket: account.bucket, region: account.region };
const url = `https://${account.bucket}.cos.${account.region}.myqcloud.com/live/index.m3u8`;

export const dvrFiles: DvrRow[] = [
  { ...recording, ...fine, ...bucket, uuid: 'dvr-1', state: 'recording', progress: true, url: '' },
  {
    ...recording,
    ...bucket,
    uuid: 'dvr-2',
    state: 'uploading',
    progress: true,
    url: '',
    uploaded: 12,
    problemKind: 'denied',
    problem: 'AccessDenied',
    retryAt: '2026-03-08T12:15:30Z',
  },
  { ...recording, ...fine, ...bucket, uuid: 'dvr-3', state: 'done', url },
];
const remux = {
  url: url.replace('m3u8', 'mp4'),
  bitrate: 3_700_000,
  height: 1080,
  width: 1920,
  size: 1_415_000_000,
  duration: 3_061,
  md5: '0cc175b9c0f1b6a8',
};
export const vodFiles: VodRow[] = [
  { ...recording, ...fine, uuid: 'vod-1', state: 'done', file: '5285890784246869930', media: url, task: remux },
];
