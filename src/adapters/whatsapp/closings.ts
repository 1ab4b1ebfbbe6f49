/** What a closed connection means, by the code that WhatsApp or Baileys gives it. Decided once, here. Pure. */

export type Closing =
  /** Part of linking, and of updates at WhatsApp: the same credentials at once. */
  | { readonly kind: 'at-once' }
  /** The same credentials after a pause that grows. */
  | { readonly kind: 'later'; readonly detail: string }
  /** Like `later`, but not for ever. */
  | { readonly kind: 'bounded'; readonly detail: string }
  /** The credentials are worth nothing any more; they are set aside. */
  | { readonly kind: 'relink'; readonly detail: string }
  /** Trying again would do harm. */
  | { readonly kind: 'stop'; readonly detail: string };

export const relinkAdvice = 'Run `hermes whatsapp login` and scan the code with the phone.';

const reasons: Readonly<Record<number, string>> = {
  408: 'the connection timed out',
  428: 'the connection was closed',
  429: 'WhatsApp asks to slow down',
  503: 'WhatsApp is out of service',
};

export const closingOf = (code: number): Closing => {
  switch (code) {
    case 515:
      return { kind: 'at-once' };
    case 401:
    case 411:
      return { kind: 'relink', detail: `WhatsApp has unlinked this device (${code}). ${relinkAdvice}` };
    case 403:
      return {
        kind: 'relink',
        detail: `WhatsApp refuses this account (403): it may be banned, which WhatsApp on the phone would say. Once it works there again: ${relinkAdvice.charAt(0).toLowerCase()}${relinkAdvice.slice(1)}`,
      };
    case 405:
      return {
        kind: 'stop',
        detail: 'WhatsApp no longer takes this version of its protocol (405). Update hermes-gateway.',
      };
    case 440:
      return {
        kind: 'stop',
        detail:
          'Another program uses the same linked device (440), and took over. Stop it, then start the gateway again; or give this one a device of its own: `hermes whatsapp login --again`.',
      };
    case 500:
      return {
        kind: 'bounded',
        detail: `WhatsApp does not accept the session (500). If this stays so: \`hermes whatsapp login --again\`.`,
      };
    default:
      return {
        kind: 'later',
        detail: `WhatsApp cannot be reached (${reasons[code] ?? 'the connection failed'}, ${code}). Trying again at least once a minute.`,
      };
  }
};
