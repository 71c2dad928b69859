import { expect, it } from 'vitest';
import { readWorkerDetail, type WorkerDetailCode, workerDetail, workerDetails } from './worker-details.ts';

const values = {
  error: 'EACCES',
  status: '1',
  signal: 'SIGKILL',
  seconds: '10',
  host: 'live.example.com (v2)',
  schemes: 'rtmp://, srt://',
};

it.each(Object.keys(workerDetails) as WorkerDetailCode[])(
  '%s is told apart from all others, with its values',
  (code) => {
    const names = [...workerDetails[code].matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof values);
    const used = Object.fromEntries(names.map((name) => [name, values[name]]));
    const text = workerDetail(code, values);
    expect(text).not.toMatch(/[{}]/);
    expect(readWorkerDetail(text)).toEqual({ code, values: used });
  },
);

it.each(['', 'Connection to tcp://h:1935 failed: Connection refused', 'the source ended badly', 'the host name'])(
  'words of FFmpeg stay as they are: "%s"',
  (text) => expect(readWorkerDetail(text)).toBeUndefined(),
);
