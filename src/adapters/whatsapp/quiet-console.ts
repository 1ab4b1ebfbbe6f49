/**
 * libsignal, which Baileys encrypts with, prints whole sessions with their private keys to the console. Its lines are
 * dropped, by their beginnings; whatever else is printed passes.
 */
const lines =
  /^(?:Closing session|Opening session|Removing old closed session|Migrating session|Session (?:already|error)|Closing (?:open|stale) |Decrypted message with closed session|Failed to decrypt message with any|V1 session storage|Unhandled bucket type|WARNING: Expected pubkey)/u;

const methods = ['log', 'info', 'warn', 'error'] as const;

type Printer = Pick<Console, (typeof methods)[number]>;

const quieted = new WeakSet<Printer>();

/** Once for a console, before libsignal says anything. */
export const quietSignal = (printer: Printer): void => {
  if (quieted.has(printer)) return;
  quieted.add(printer);
  for (const method of methods) {
    const print = printer[method].bind(printer);
    printer[method] = (...words: unknown[]): void => {
      if (typeof words[0] === 'string' && lines.test(words[0])) return;
      print(...words);
    };
  }
};
