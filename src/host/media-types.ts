/** What a file is: by its first bytes where they tell, else by its name. Pure. */
import { extname } from 'node:path';

/** Bytes that {@link sniffType} looks at. */
export const SNIFFED_BYTES = 4_096;

interface Signature {
  readonly type: string;
  readonly at?: number;
  /** Latin-1. */
  readonly bytes: string;
  readonly also?: { readonly at: number; readonly bytes: string };
}

/** Special cases stand before the general ones they are a kind of. */
const signatures: readonly Signature[] = [
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/webp', bytes: 'RIFF', also: { at: 8, bytes: 'WEBP' } },
  { type: 'audio/wav', bytes: 'RIFF', also: { at: 8, bytes: 'WAVE' } },
  { type: 'video/x-msvideo', bytes: 'RIFF', also: { at: 8, bytes: 'AVI ' } },
  { type: 'image/tiff', bytes: 'II*\x00' },
  { type: 'image/tiff', bytes: 'MM\x00*' },
  { type: 'image/bmp', bytes: 'BM', also: { at: 6, bytes: '\x00\x00\x00\x00' } },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
  { type: 'image/heic', at: 4, bytes: 'ftypheic' },
  { type: 'image/heic', at: 4, bytes: 'ftypmif1' },
  { type: 'audio/mp4', at: 4, bytes: 'ftypM4A' },
  { type: 'audio/mp4', at: 4, bytes: 'ftypM4B' },
  { type: 'video/quicktime', at: 4, bytes: 'ftypqt' },
  { type: 'video/3gpp', at: 4, bytes: 'ftyp3gp' },
  { type: 'video/mp4', at: 4, bytes: 'ftyp' },
  { type: 'audio/ogg', bytes: 'OggS', also: { at: 28, bytes: 'OpusHead' } },
  { type: 'video/ogg', bytes: 'OggS', also: { at: 28, bytes: '\x80theora' } },
  { type: 'audio/ogg', bytes: 'OggS' },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/mpeg', bytes: '\xff\xfb' },
  { type: 'audio/mpeg', bytes: '\xff\xf3' },
  { type: 'audio/mpeg', bytes: '\xff\xf2' },
  { type: 'audio/aac', bytes: '\xff\xf1' },
  { type: 'audio/aac', bytes: '\xff\xf9' },
  { type: 'audio/flac', bytes: 'fLaC' },
  { type: 'audio/amr', bytes: '#!AMR' },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/gzip', bytes: '\x1f\x8b' },
  { type: 'application/x-bzip2', bytes: 'BZh' },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\x00' },
  { type: 'application/x-7z-compressed', bytes: "7z\xbc\xaf'\x1c" },
  { type: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/zip', bytes: 'PK\x05\x06' },
  { type: 'application/x-elf', bytes: '\x7fELF' },
];

/** Names to types; the first name of a type is the one given to a file that has none. */
const namedTypes: readonly (readonly [string, string])[] = [
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['bmp', 'image/bmp'],
  ['tiff', 'image/tiff'],
  ['tif', 'image/tiff'],
  ['svg', 'image/svg+xml'],
  ['avif', 'image/avif'],
  ['heic', 'image/heic'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['avi', 'video/x-msvideo'],
  ['webm', 'video/webm'],
  ['mkv', 'video/x-matroska'],
  ['3gp', 'video/3gpp'],
  ['ogv', 'video/ogg'],
  ['mp3', 'audio/mpeg'],
  ['m2a', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['ogg', 'audio/ogg'],
  ['oga', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['m4a', 'audio/mp4'],
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['amr', 'audio/amr'],
  ['pdf', 'application/pdf'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['doc', 'application/msword'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['rtf', 'application/rtf'],
  ['txt', 'text/plain'],
  ['log', 'text/plain'],
  ['md', 'text/markdown'],
  ['epub', 'application/epub+zip'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xls', 'application/vnd.ms-excel'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['json', 'application/json'],
  ['geojson', 'application/geo+json'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['kml', 'application/vnd.google-earth.kml+xml'],
  ['kmz', 'application/vnd.google-earth.kmz'],
  ['gpx', 'application/gpx+xml'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['zip', 'application/zip'],
  ['tar', 'application/x-tar'],
  ['gz', 'application/gzip'],
  ['tgz', 'application/gzip'],
  ['bz2', 'application/x-bzip2'],
  ['xz', 'application/x-xz'],
  ['7z', 'application/x-7z-compressed'],
  ['rar', 'application/vnd.rar'],
  ['apk', 'application/vnd.android.package-archive'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
];

const byName = new Map(namedTypes);
const unknownType = 'application/octet-stream';

const matches = (head: string, { at = 0, bytes, also }: Signature): boolean =>
  head.startsWith(bytes, at) && (also === undefined || head.startsWith(also.bytes, also.at));

/** Undefined where the bytes do not tell. */
const sniffType = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFFED_BYTES)).toString(
    'latin1',
  );
  // Matroska names its flavour somewhere in its header.
  if (head.startsWith('\x1aE\xdf\xa3')) return head.includes('webm') ? 'video/webm' : 'video/x-matroska';
  return signatures.find((signature) => matches(head, signature))?.type;
};

const typeOfName = (fileName: string): string | undefined =>
  byName.get(extname(fileName).slice(1).toLowerCase());

const containers = new Set(['application/zip', 'application/gzip']);
const isPicture = (type: string): boolean =>
  /^(?:image|video|audio)\//u.test(type) && type !== 'image/svg+xml';

/**
 * What the bytes say wins, but for containers, of which only the name tells what is in them (docx in zip). A name or a
 * claim alone never makes a picture, a sound or a film of bytes that do not look like one.
 */
export const judgeType = (bytes: Uint8Array, fileName: string, claimed?: string): string => {
  const sniffed = sniffType(bytes);
  const named = typeOfName(fileName);
  if (sniffed !== undefined)
    return containers.has(sniffed) && named !== undefined && !isPicture(named) ? named : sniffed;
  const told = named ?? claimed?.split(';')[0]?.trim().toLowerCase();
  if (told === undefined || told === '' || isPicture(told))
    return looksLikeText(bytes) ? 'text/plain' : unknownType;
  return told;
};

const looksLikeText = (bytes: Uint8Array): boolean =>
  bytes.length > 0 && !bytes.subarray(0, SNIFFED_BYTES).includes(0);

/** The usual extension of a type, with its dot; empty if there is none. */
export const extensionOf = (type: string): string => {
  const known = namedTypes.find(([, other]) => other === type);
  return known === undefined ? '' : `.${known[0]}`;
};

/** True if the name's own extension stands for the type. */
export const namesType = (fileName: string, type: string): boolean => typeOfName(fileName) === type;
