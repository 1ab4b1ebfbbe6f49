export { createGateway, type Gateway } from './gateway.js';
export type { GatewayPlatform, GatewaySettings } from './settings.js';
