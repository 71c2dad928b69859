// Calls of releases whose scenarios do not exist here. Their consoles make them merely to open a page: lists are empty, settings are
// those of nobody, and nothing can be saved.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { paths } from '../paths.ts';

const tag = 'Later releases';

export const listRooms = defineEndpoint({
  ...paths.listRooms,
  tag,
  summary: 'Live rooms: none, for consoles that ask before they open a page.',
  request: emptyRequest,
  response: z.object({ rooms: z.array(z.never()) }),
});

export const queryOpenai = defineEndpoint({
  ...paths.queryOpenai,
  tag,
  summary: 'Settings of the AI service: empty, for consoles that ask before they open a page.',
  request: emptyRequest,
  response: z.object({ aiSecretKey: z.string(), aiBaseURL: z.string(), aiOrganization: z.string() }),
});

export const cameraSecret = defineEndpoint({
  ...paths.cameraSecret,
  tag,
  summary: 'Camera targets by platform: none. Saving one (`action`) is refused.',
  request: emptyRequest.extend({ action: z.string().max(16).optional() }),
  response: z.record(z.string(), z.never()),
});

/** `uuid` is empty: there is no task. */
const noTask = z.object({ uuid: z.string() });

export const queryTranscript = defineEndpoint({
  ...paths.queryTranscript,
  tag,
  summary: 'Settings and task of AI subtitles: switched off, for consoles that ask before they open a page.',
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
  summary: 'Settings and task of AI image recognition: switched off, for consoles that ask before they open a page.',
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

export const cameraStreams = defineEndpoint({
  ...paths.cameraStreams,
  tag,
  summary: 'Status rows of camera targets: none.',
  request: emptyRequest,
  response: z.array(z.never()),
});
