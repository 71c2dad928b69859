// The type of all handlers: one handler per call of the contract. A missing handler is a compile error.
import type { EndpointName, EndpointsIn, endpoints } from '@srs-stack/contract';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';

/** Context of a request for its handler. */
export interface Call {
  readonly actor: Actor;
  /** Scheme and host of the request, e.g. `https://live.example.com`. */
  readonly origin: string;
  /** Sets a cookie by which the next login recognizes the browser. The cookie is not a credential. */
  keepDeviceCookie(value: string): void;
  /** Sets the cookie that authorizes pages of earlier releases: some of their calls have no credential. */
  keepPageCookie(value: string): void;
  forgetPageCookie(): void;
  /** Whether the request comes from a page of this server, according to its headers. */
  readonly isOwnPage: boolean;
  readonly query: Readonly<Record<string, unknown>>;
}

type Endpoints = typeof endpoints;

type Handler<Name extends EndpointName> = (
  request: z.output<Endpoints[Name]['request']>,
  call: Call,
) => z.output<Endpoints[Name]['response']> | Promise<z.output<Endpoints[Name]['response']>>;

export type Handlers = { readonly [Name in EndpointName]: Handler<Name> };

/** Handlers for the calls of one contract file, e.g. `HandlersOf<typeof calls>` after `import type * as calls from '…/endpoints/x.ts'`. */
export type HandlersOf<File> = Pick<Handlers, keyof EndpointsIn<File> & EndpointName>;
