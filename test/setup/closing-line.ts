import { writeSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a run's output with `N passed, N failed`, alone on its line, for programs that read it; `, N skipped` follows
 * where there are any. A file that could not be loaded and an error outside of any test count as failed.
 */
export class ClosingLine implements Reporter {
  #line: string | undefined;

  constructor() {
    // The other reporters write until the process ends.
    process.once('exit', () => {
      if (this.#line !== undefined) writeSync(1, `\n${this.#line}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#line = closingLine(modules, unhandled.length);
  }
}

function closingLine(modules: readonly TestModule[], unhandledCount: number): string {
  let passed = 0;
  let skipped = 0;
  let failed = unhandledCount;
  for (const module of modules) {
    if (module.errors().length > 0) failed += 1;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      else if (state === 'failed') failed += 1;
      else skipped += 1;
    }
  }
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
