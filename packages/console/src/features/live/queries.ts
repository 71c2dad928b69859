// The requests of the Live page.
import { calls } from '@srs-stack/contract/calls.ts';
import { apiMutation, apiQuery } from '../../api/api-query.ts';

/** Poll interval of the card while it is visible, milliseconds: a new stream shows within two seconds. */
export const liveCardPollMs = 2_000;

/** All live streams, not only the one of the page, because a stream that seems missing is usually live, or refused, under another name. */
export const liveQuery = { ...apiQuery(calls.queryLive, {}), retry: false, staleTime: 0 };
export const kickMutation = apiMutation(calls.kickStream);
