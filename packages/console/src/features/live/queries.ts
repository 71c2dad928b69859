// What the Live page asks the server.
import { calls } from '@srs-stack/contract/calls.ts';
import { apiMutation, apiQuery } from '../../api/api-query.ts';

/** How often the card asks while somebody can see it, milliseconds: a new stream shows within two seconds. */
export const liveCardPollMs = 2_000;

/** Unfiltered: streams and refusals under another name are the usual reason why "my" stream does not show. */
export const liveQuery = { ...apiQuery(calls.queryLive, {}), retry: false, staleTime: 0 };
export const kickMutation = apiMutation(calls.kickStream);
