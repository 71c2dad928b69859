// A live room: a stream with its own secret. The object is flat, as consoles of other releases expect.
import { z } from 'zod';
import {
  maxLabelLength,
  maxRoomPromptLength,
  maxRoomTextLength,
  maxRoomTitleLength,
  maxTimeTextLength,
} from '../limits.ts';

const text = z.string().max(maxRoomTextLength);
const prompt = z.string().max(maxRoomPromptLength);
/** RFC 3339. */
const time = z.iso.datetime({ offset: true }).max(maxTimeTextLength);

export const liveRoom = z.object({
  uuid: z.string(),
  title: z.string().max(maxRoomTitleLength),
  /** Name of the stream in the app `live`. */
  stream: z.string(),
  /** Authorizes publishing to the room, like an invitation. The publish secret and stream keys do not. */
  secret: text,
  /** Settings of an AI assistant, stored only for consoles that support an assistant. This product does not use these settings. */
  assistant: z.boolean(),
  aiName: text,
  aiProvider: text,
  aiSecretKey: text,
  aiOrganization: text,
  aiBaseURL: text,
  aiAsrEnabled: z.boolean(),
  aiAsrLanguage: text,
  aiAsrPrompt: prompt,
  aiChatEnabled: z.boolean(),
  aiChatModel: text,
  aiChatPrompt: prompt,
  aiChatMaxWindow: z.int(),
  aiChatMaxWords: z.int(),
  aiPostEnabled: z.boolean(),
  aiPostModel: text,
  aiPostPrompt: prompt,
  aiPostMaxWindow: z.int(),
  aiPostMaxWords: z.int(),
  aiTtsEnabled: z.boolean(),
  stage_uuid: text,
  roomToken: text,
  created_at: text,
  /** Start time for guests; null permits guests at any time. */
  startsAt: time.nullable(),
});
export type LiveRoom = z.infer<typeof liveRoom>;

/** Assistant settings of a new room, for consoles that support an assistant. */
export const newAssistant = {
  ...{ assistant: true, aiName: '', aiProvider: '', aiSecretKey: '', aiOrganization: '', aiBaseURL: '' },
  ...{ aiAsrEnabled: true, aiAsrLanguage: '', aiAsrPrompt: '' },
  ...{ aiChatEnabled: true, aiChatModel: '', aiChatPrompt: '', aiChatMaxWindow: 0, aiChatMaxWords: 0 },
  ...{ aiPostEnabled: false, aiPostModel: '', aiPostPrompt: '', aiPostMaxWindow: 0, aiPostMaxWords: 0 },
  ...{ aiTtsEnabled: true, stage_uuid: '' },
};

/** Update of a room. Consoles send all fields; scripts may send only changed fields. */
export const liveRoomChange = liveRoom
  .extend({ secret: text.min(1) })
  .omit({ uuid: true })
  .partial();
export type LiveRoomChange = z.infer<typeof liveRoomChange>;

export const roomInvitation = z.object({
  id: z.string(),
  name: z.string().max(maxLabelLength),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Secret of the invitation, which the guest sends instead of the room's secret. */
  value: z.string(),
});

export const roomPublisher = z.object({
  protocol: z.string(),
  ip: z.string(),
  /** Milliseconds since publishing started. */
  uptimeMs: z.number(),
  bitrateKbps: z.number(),
  /** Name on the guest's invitation; null if the publisher used the room's secret. */
  guest: z.string().nullable(),
});

export const roomState = z.object({
  room: liveRoom,
  invitations: z.array(roomInvitation),
  publisher: roomPublisher.nullable(),
  viewers: z.int(),
});
export type RoomState = z.infer<typeof roomState>;
