import type { PlatformDefinition } from '../core/platform-definition.js';
import { discord } from './discord/index.js';
import { definePlatform } from './kit/define-platform.js';
import { telegram } from './telegram/index.js';
import { web } from './web/index.js';
import { whatsapp } from './whatsapp/index.js';

/** Every platform, one line each. A definition is light: it loads its SDK when an adapter is created. */
export const platforms: readonly PlatformDefinition[] = [
  definePlatform(telegram),
  definePlatform(discord),
  definePlatform(whatsapp),
  definePlatform(web),
];
