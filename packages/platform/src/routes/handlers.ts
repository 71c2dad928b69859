// The shape of all handlers: one per call of the contract, typed by its schemas. A call without a handler does not compile.
import type { EndpointName, EndpointsIn, endpoints } from '@srs-stack/contract';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';

/** What a handler knows besides the request. */
export interface Call {
  readonly actor: Actor;
  /** Scheme and host the call was sent to, e.g. `https://live.example.com`. */
  readonly origin: string;
  /** Lets the browser show this value at its next login; it is no credential and opens nothing. */
  keepDeviceCookie(value: string): void;
  /** Lets pages of earlier releases make the calls they send without a credential. */
  keepPageCookie(value: string): void;
  forgetPageCookie(): void;
  /** Whether a page of this server calls, by what its browser says. */
  readonly isOwnPage: boolean;
  /** Parameters of the URL. */
  readonly query: Readonly<Record<string, unknown>>;
}

type Endpoints = typeof endpoints;

type Handler<Name extends EndpointName> = (
  request: z.output<Endpoints[Name]['request']>,
  call: Call,
) => z.output<Endpoints[Name]['response']> | Promise<z.output<Endpoints[Name]['response']>>;

export type Handlers = { readonly [Name in EndpointName]: Handler<Name> };

/** The handlers of one file of the contract: `HandlersOf<typeof calls>` of `import type * as calls from '…/endpoints/x.ts'`. */
export type HandlersOf<File> = Pick<Handlers, keyof EndpointsIn<File> & EndpointName>;
