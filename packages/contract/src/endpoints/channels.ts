// Channels: streams that play a schedule around the clock.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxNameLength, maxProgrammeHours } from '../limits.ts';
import { asRunEntry, channel, channelDraft, channelState, programmeSlot } from '../models/channel.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { paths } from '../paths.ts';

const tag = 'Channels';
const token = z.string().optional();
const id = z.string().max(maxNameLength);

export const listChannels = defineEndpoint({
  ...paths.listChannels,
  tag,
  summary: 'Lists the channels with current item, next item, preparation progress, and items that cannot be played.',
  request: emptyRequest,
  response: z.object({ channels: z.array(channelState) }),
});

export const createChannel = defineEndpoint({
  ...paths.createChannel,
  tag,
  summary: 'Creates a channel. It is off until it is started.',
  request: channelDraft.extend({ token }),
  response: channel,
});

export const updateChannel = defineEndpoint({
  ...paths.updateChannel,
  tag,
  summary: 'Changes a channel. The current item continues if the new schedule still contains it.',
  request: channelDraft.extend({ token, id }),
  response: channel,
});

export const removeChannel = defineEndpoint({
  ...paths.removeChannel,
  tag,
  summary: 'Stops and removes a channel with its prepared files.',
  request: z.object({ token, id }),
  response: nullData,
});

export const switchChannel = defineEndpoint({
  ...paths.switchChannel,
  tag,
  summary: 'Starts or stops a channel.',
  request: z.object({ token, id, enabled: z.boolean() }),
  response: channel,
});

export const takeOverChannel = defineEndpoint({
  ...paths.takeOverChannel,
  tag,
  summary:
    'Shows a live stream on a running channel from its next keyframe on, until it ends or the takeover is ended. Waits up to 30 seconds for a stream that is not live.',
  request: z.object({
    token,
    id,
    /** E.g. `live/name`. */
    stream: z.string().max(maxNameLength),
  }),
  response: nullData,
});

export const giveBackChannel = defineEndpoint({
  ...paths.giveBackChannel,
  tag,
  summary: 'Ends a takeover: the channel plays its scheduled item.',
  request: z.object({ token, id }),
  response: nullData,
});

export const queryProgramme = defineEndpoint({
  ...paths.queryProgramme,
  tag,
  summary: 'Returns what a channel plays in the next hours.',
  request: z.object({ token, id, hours: z.number().positive().max(maxProgrammeHours).default(24) }),
  response: z.object({ slots: z.array(programmeSlot) }),
});

export const queryAsRun = defineEndpoint({
  ...paths.queryAsRun,
  tag,
  summary: 'Returns what a channel has played, newest first, and what it could not play.',
  request: z.object({ token, id }),
  response: z.object({ entries: z.array(asRunEntry) }),
});
