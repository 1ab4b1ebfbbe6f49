/** As what a file of ours is shown in Telegram. Pure. */
import type { OutboundMediaPart } from '../../core/parts.js';

/** The Bot API's own words for its ways to show a file. */
export const shownKinds = ['photo', 'video', 'animation', 'audio', 'voice', 'document'] as const;
export type ShownKind = (typeof shownKinds)[number];

/** Larger ones are refused as photos by every server, and pass as documents. */
const MAX_PHOTO_BYTES = 10 * 1024 * 1024;

const photo = /^image\/(?:jpe?g|png|webp)$/u;
const video = /^video\/(?:mp4|quicktime|x-m4v)$/u;
const music = /^audio\/(?:mpeg|mp3|mp4|m4a|x-m4a|aac)$/u;
const speech = /^(?:audio\/(?:ogg|opus)|application\/ogg)$/u;

/** Telegram plays and shows only these formats; anything else it takes as a file. */
export const shownKindOf = ({ kind, file }: OutboundMediaPart): ShownKind => {
  const mimeType = file.mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  switch (kind) {
    case 'image':
      if (mimeType === 'image/gif') return 'animation';
      return photo.test(mimeType) && file.sizeBytes <= MAX_PHOTO_BYTES ? 'photo' : 'document';
    case 'video':
      return video.test(mimeType) ? 'video' : 'document';
    case 'voice':
      if (speech.test(mimeType)) return 'voice';
      return music.test(mimeType) ? 'audio' : 'document';
    case 'audio':
      return music.test(mimeType) ? 'audio' : 'document';
    case 'file':
      return 'document';
    default:
      return kind satisfies never;
  }
};

/** What may stand in one album: pictures and videos mix, everything else only with its like. */
export type AlbumKind = 'visual' | 'audio' | 'document';

/** Undefined for what is always on its own. */
export const albumKindOf = (kind: ShownKind): AlbumKind | undefined => {
  if (kind === 'photo' || kind === 'video') return 'visual';
  return kind === 'audio' || kind === 'document' ? kind : undefined;
};
