const signatures: readonly { readonly mimeType: string; readonly at: number; readonly bytes: string }[] = [
  { mimeType: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { mimeType: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { mimeType: 'image/gif', at: 0, bytes: 'GIF8' },
  { mimeType: 'image/webp', at: 8, bytes: 'WEBP' },
];

/** The type by the bytes themselves, if it is one that every model service reads; a wrong name is refused there. */
export const sniffImage = (bytes: Uint8Array): string | undefined =>
  signatures.find(
    (one) => String.fromCharCode(...bytes.subarray(one.at, one.at + one.bytes.length)) === one.bytes,
  )?.mimeType;
