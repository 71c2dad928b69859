// Calls of the product with the types of the contract, authenticated with the operator's session.
import { type Endpoint, endpoints, type RequestOf, type ResponseOf, type Session } from '@srs-stack/contract';
import type { Product } from './product.ts';
import { keepSecret } from './secrets.ts';

type Address = Pick<Product, 'url'>;

class CallFailed extends Error {
  readonly status: number;
  readonly errorName: string | undefined;
  constructor(path: string, status: number, body: string) {
    super(`${path} returned ${status}: ${body}`);
    this.status = status;
    this.errorName = /"name":"(\w+)"/.exec(body)?.[1];
  }
}

/** Posts one call. @throws CallFailed when the server refuses the call. */
export async function call<E extends Endpoint>(
  product: Address,
  endpoint: E,
  request: RequestOf<E>,
  bearer?: string,
): Promise<ResponseOf<E>> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (bearer) headers.authorization = `Bearer ${bearer}`;
  const response = await fetch(product.url + endpoint.path, { method: 'POST', headers, body: JSON.stringify(request) });
  const text = await response.text();
  if (!response.ok) throw new CallFailed(endpoint.path, response.status, text);
  return endpoint.response.parse(JSON.parse(text).data) as ResponseOf<E>;
}

export interface Admin {
  readonly session: Session;
  /** Query with which an encoder publishes: `secret=…`. */
  readonly publishQuery: string;
  call<E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<ResponseOf<E>>;
}

/** Sets the admin password of a new product and reads its publish secret. */
export async function setUp(product: Address, password: string): Promise<Admin> {
  keepSecret(password);
  const answer = await call(product, endpoints.init, { password });
  if (!('token' in answer)) throw new Error('the product was set up before');
  return asAdmin(product, answer);
}

/** Like `setUp`, for a product that already has its password. */
export async function logIn(product: Address, password: string): Promise<Admin> {
  return asAdmin(product, await call(product, endpoints.login, { password }));
}

async function asAdmin(product: Address, session: Session): Promise<Admin> {
  const callAsAdmin: Admin['call'] = (endpoint, request) => call(product, endpoint, request, session.bearer);
  const { publish } = await callAsAdmin(endpoints.queryPublishSecret, {});
  for (const secret of [publish, session.bearer]) keepSecret(secret);
  return { session, publishQuery: `secret=${publish}`, call: callAsAdmin };
}
