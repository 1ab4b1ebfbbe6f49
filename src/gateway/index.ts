export { createGateway, type Gateway, type GatewayDeps } from './gateway.js';
export type { GatewayPlatform, GatewaySettings } from './settings.js';
