/**
 * libsignal prints whole sessions to the console. In a process of the emulator's own the console belongs to nobody else;
 * in a test's process it is left alone, so that a test of the platform's own silence means something.
 */
export function silenceConsole(): void {
  const nothing = (): void => undefined;
  Object.assign(globalThis.console, { log: nothing, info: nothing, warn: nothing, error: nothing });
}
