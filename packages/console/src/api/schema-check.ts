// Holds every answer against the contract's schemas, in development and in tests: production carries none (`start.tsx`).
import { type Call, type Endpoint, endpoints } from '@srs-stack/contract';
import { checkAnswersWith } from './api-client.ts';

const schemas = new Map(Object.values<Endpoint>(endpoints).map(({ path, response }) => [path, response]));

export function checkAnswersBySchema(): void {
  checkAnswersWith(({ path }: Call, data) => schemas.get(path)?.parse(data));
}
