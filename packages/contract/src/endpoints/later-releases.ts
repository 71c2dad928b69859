// Calls for features of later releases that this product lacks. Consoles of those releases make these calls when a page opens. Responses
// are empty lists or default settings; saving is refused.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { paths } from '../paths.ts';

const tag = 'Later releases';

export const queryOpenai = defineEndpoint({
  ...paths.queryOpenai,
  tag,
  summary: 'Returns empty settings of the AI service, for consoles that request them before they open a page.',
  request: emptyRequest,
  response: z.object({ aiSecretKey: z.string(), aiBaseURL: z.string(), aiOrganization: z.string() }),
});

/** Response for a task that does not exist: `uuid` is empty. */
const noTask = z.object({ uuid: z.string() });

export const queryTranscript = defineEndpoint({
  ...paths.queryTranscript,
  tag,
  summary: 'Returns AI subtitles as switched off, for consoles that request them before they open a page.',
  request: emptyRequest,
  response: z.object({
    config: z.object({
      all: z.boolean(),
      secretKey: z.string(),
      baseURL: z.string(),
      organization: z.string(),
      lang: z.string(),
      forceStyle: z.string(),
      videoCodecParams: z.string(),
      overlayEnabled: z.boolean(),
      webvttEnabled: z.boolean(),
    }),
    task: noTask,
  }),
});

export const queryOcr = defineEndpoint({
  ...paths.queryOcr,
  tag,
  summary: 'Returns AI image recognition as switched off, for consoles that request it before they open a page.',
  request: emptyRequest,
  response: z.object({
    config: z.object({
      all: z.boolean(),
      aiProvider: z.string(),
      aiSecretKey: z.string(),
      aiOrganization: z.string(),
      aiBaseURL: z.string(),
      aiChatEnabled: z.boolean(),
      aiChatModel: z.string(),
      aiChatPrompt: z.string(),
      aiChatMaxWindow: z.int(),
      aiChatMaxWords: z.int(),
    }),
    task: noTask,
  }),
});
