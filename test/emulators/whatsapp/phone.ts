/** A person with a number, a hidden id and devices. */
import type { Addressing, PhoneSpec } from './protocol.js';
import { SignalDevice } from './signal-device.js';

export class Phone {
  readonly number: string;
  readonly lid: string;
  readonly name: string;
  readonly addressing: Addressing;
  readonly deviceIds: readonly number[];
  readonly #devices = new Map<number, SignalDevice>();

  constructor(spec: PhoneSpec) {
    this.number = spec.number;
    this.lid = spec.lid ?? `9${spec.number}`;
    this.name = spec.name ?? spec.number;
    this.addressing = spec.addressing ?? 'lid';
    this.deviceIds = spec.devices ?? [0];
  }

  /** Keys cost time, so a device gets them when it first needs them. */
  device(id: number): SignalDevice {
    if (!this.deviceIds.includes(id)) throw new Error(`${this.number} has no device ${id}`);
    const device = this.#devices.get(id) ?? new SignalDevice();
    this.#devices.set(id, device);
    return device;
  }

  jid(addressing: Addressing, device = 0): string {
    const suffix = device === 0 ? '' : `:${device}`;
    return addressing === 'lid' ? `${this.lid}${suffix}@lid` : `${this.number}${suffix}@s.whatsapp.net`;
  }
}

/** `15550100001:3@s.whatsapp.net` in its parts. */
export function parseJid(jid: string): {
  readonly user: string;
  readonly device: number;
  readonly server: string;
} {
  const [, user = '', device = '0', server = ''] = /^([^:@]*)(?::(\d+))?@(.*)$/u.exec(jid) ?? [];
  return { user, device: Number(device), server };
}
