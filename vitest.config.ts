import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/setup/closing-line.js';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup/properties.ts'],
    globalSetup: ['test/setup/global.ts'],
    reporters: ['default', new ClosingLine()],
    // Cases run real clients against other processes, on machines whose two cores are shared.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['src/core/**', 'src/gateway/**', 'src/agent/**'],
      thresholds: { lines: 90, functions: 90, branches: 90, statements: 90 },
    },
  },
});
