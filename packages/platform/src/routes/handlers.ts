// The type of all handlers: one per call of the contract, typed by its schemas. A call without a handler does not compile.
import type { EndpointName, EndpointsIn, endpoints } from '@srs-stack/contract';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';

/** Context of a request for its handler. */
export interface Call {
  readonly actor: Actor;
  /** Scheme and host of the request, e.g. `https://live.example.com`. */
  readonly origin: string;
  /** Sets the cookie that identifies the browser at its next login; it is not a credential. */
  keepDeviceCookie(value: string): void;
  /** Sets the cookie that authorizes the calls that pages of earlier releases send without a credential. */
  keepPageCookie(value: string): void;
  forgetPageCookie(): void;
  /** Whether a page of this server makes the request, by its headers. */
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
