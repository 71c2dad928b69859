// Validates every response against the contract's schemas, in development and in tests. Production builds contain no
// schemas (`start.tsx`).
import { type Call, type Endpoint, endpoints } from '@srs-stack/contract';
import { checkResponsesWith } from './api-client.ts';

const schemas = new Map(Object.values<Endpoint>(endpoints).map(({ path, response }) => [path, response]));

export function checkResponsesBySchema(): void {
  checkResponsesWith(({ path }: Call, data) => schemas.get(path)?.parse(data));
}
