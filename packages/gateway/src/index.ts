export { type Gateway, type GatewayParts, startGateway } from './app.ts';
export { type GatewayEnv, readEnv } from './env.ts';
