// Baseline for the start time of the product: one Fastify server with one call.
//
//   node bench/bare/fastify.ts <http port>
import { fastify } from 'fastify';

const app = fastify();
app.get('/terraform/v1/host/versions', () => ({ code: 0, server: process.pid, data: { version: 'v0.0.0' } }));
await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
