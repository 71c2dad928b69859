// Remuxes a committed recording to MP4 in video on demand: starts the task and polls the result.
import type { RemuxTask } from '@srs-stack/contract';
import { z } from 'zod';
import { type CloudCredentials, CloudError } from '../cloud.ts';
import type { CallTencent } from './tencent-api.ts';

export async function startRemux(
  call: CallTencent,
  credentials: CloudCredentials,
  { applicationId, fileId, definition }: { applicationId: number; fileId: string; definition: number },
): Promise<string> {
  const { TaskId } = await call(credentials, 'vod', {
    action: 'ProcessMedia',
    request: {
      SubAppId: applicationId,
      FileId: fileId,
      MediaProcessTask: { TranscodeTaskSet: [{ Definition: definition }] },
    },
    answer: z.object({ TaskId: z.string() }),
  });
  return TaskId;
}

/** Undefined while the task is running. Rejects with `refused` when the task failed. */
export async function readRemux(
  call: CallTencent,
  credentials: CloudCredentials,
  { applicationId, taskId }: { applicationId: number; taskId: string },
): Promise<RemuxTask | undefined> {
  const { Status, ProcedureTask } = await call(credentials, 'vod', {
    action: 'DescribeTaskDetail',
    request: { SubAppId: applicationId, TaskId: taskId },
    answer: taskDetail,
  });
  const result = ProcedureTask?.MediaProcessResultSet?.find(({ Type }) => Type === 'Transcode')?.TranscodeTask;
  const failed = Status === 'ABORTED' || result?.Status === 'FAIL' || (ProcedureTask?.ErrCode ?? 0) !== 0;
  if (failed) {
    const reason = result?.Message || ProcedureTask?.Message || Status;
    throw new CloudError('refused', 'RemuxFailed', `no MP4 was created in the cloud: ${reason}`);
  }
  const output = result?.Output;
  if (Status !== 'FINISH' || !output) return undefined;
  return {
    url: output.Url,
    bitrate: output.Bitrate ?? 0,
    height: output.Height ?? 0,
    width: output.Width ?? 0,
    size: output.Size ?? 0,
    duration: output.Duration ?? 0,
    md5: output.Md5 ?? '',
  };
}

const figure = z.number().nullish();
const taskDetail = z.object({
  Status: z.string(),
  ProcedureTask: z
    .object({
      ErrCode: figure,
      Message: z.string().nullish(),
      MediaProcessResultSet: z
        .array(
          z.object({
            Type: z.string(),
            TranscodeTask: z
              .object({
                Status: z.string(),
                Message: z.string().nullish(),
                Output: z
                  .object({
                    Url: z.string(),
                    Bitrate: figure,
                    Height: figure,
                    Width: figure,
                    Size: figure,
                    Duration: figure,
                    Md5: z.string().nullish(),
                  })
                  .nullish(),
              })
              .nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});
