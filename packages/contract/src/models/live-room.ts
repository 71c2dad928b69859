// A live room: a stream with its own secret. Consoles of other releases send and expect all keys in one flat object.
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
  /** Published as `live/<stream>`. */
  stream: z.string(),
  /** The only secret that authorizes publishing to the room. */
  secret: text,
  /** Settings of an AI assistant. They are stored for consoles that have one; this product does not use them. */
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
  /** Time from which guests with an invitation can publish; null: at any time. */
  startsAt: time.nullable(),
});
export type LiveRoom = z.infer<typeof liveRoom>;

/** Assistant settings of a new room, as consoles with an assistant expect them. */
export const newAssistant = {
  ...{ assistant: true, aiName: '', aiProvider: '', aiSecretKey: '', aiOrganization: '', aiBaseURL: '' },
  ...{ aiAsrEnabled: true, aiAsrLanguage: '', aiAsrPrompt: '' },
  ...{ aiChatEnabled: true, aiChatModel: '', aiChatPrompt: '', aiChatMaxWindow: 0, aiChatMaxWords: 0 },
  ...{ aiPostEnabled: false, aiPostModel: '', aiPostPrompt: '', aiPostMaxWindow: 0, aiPostMaxWords: 0 },
  ...{ aiTtsEnabled: true, stage_uuid: '' },
};

/** An update of a room: consoles send the whole object, scripts only the keys they change. */
export const liveRoomChange = liveRoom
  .extend({ secret: text.min(1) })
  .omit({ uuid: true })
  .partial();
export type LiveRoomChange = z.infer<typeof liveRoomChange>;

export const roomInvitation = z.object({
  id: z.string(),
  /** Name of the guest. */
  name: z.string().max(maxLabelLength),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Value that the guest sends instead of the secret. */
  value: z.string(),
});

export const roomPublisher = z.object({
  protocol: z.string(),
  ip: z.string(),
  /** Time since publishing started, milliseconds. */
  uptimeMs: z.number(),
  bitrateKbps: z.number(),
  /** Name of the guest's invitation; null for a publisher that uses the secret of the room. */
  guest: z.string().nullable(),
});

export const roomState = z.object({
  room: liveRoom,
  invitations: z.array(roomInvitation),
  /** Null without a publisher. */
  publisher: roomPublisher.nullable(),
  viewers: z.int(),
});
export type RoomState = z.infer<typeof roomState>;
