import type { PlatformDefinition, PlatformSection } from '../../core/platform-definition.js';

/**
 * Checks a definition against its own section's type, which the rest of the gateway neither knows nor needs: it only
 * hands the section from `section` back to the definition's own functions.
 */
export const definePlatform = <Section extends PlatformSection>(
  definition: PlatformDefinition<Section>,
): PlatformDefinition =>
  // `environment` and `secretKeys` name keys of Section, which is all that keeps the two types apart.
  definition as unknown as PlatformDefinition;
