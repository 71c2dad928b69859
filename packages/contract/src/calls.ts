// Every call of the product as its callers use it: path and access as values, request and answer as types alone. A bundle that
// imports it carries no schema.
import type { endpoints } from './catalogue.ts';
import type { Call, RequestOf, ResponseOf } from './endpoint.ts';
import { type CallName, paths } from './paths.ts';

type Calls = {
  readonly [Name in CallName]: Call<RequestOf<(typeof endpoints)[Name]>, ResponseOf<(typeof endpoints)[Name]>>;
};

export const calls: Calls = paths;
