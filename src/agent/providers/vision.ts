/**
 * Pictures for models that see, and words for those that do not, around any provider. A picture that cannot be loaded or
 * that the service refuses becomes a note in its message, so that one bad picture does not spoil a conversation.
 */
import type { ProviderError } from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import type { StoredFile } from '../../core/parts.js';
import type { ModelEvent, ModelMessage, ModelRequest, Picture } from '../../core/provider.js';
import { sniffImage } from '../../core/sniff-image.js';
import { imageNote } from '../recent-images.js';
import type { WarmProvider } from './provider-definition.js';

export interface VisionOptions {
  /** Absent: pictures are sent as long as the model does not refuse them. */
  readonly sees: boolean | undefined;
  /** The bytes of a file of ours; undefined if it is gone or larger than `maxBytes`. Never rejects. */
  readonly loadImage:
    | ((file: StoredFile, limits: { readonly maxBytes: number }) => Promise<Uint8Array | undefined>)
    | undefined;
  readonly logger: Logger;
}

/** The smallest limit of the usual services. */
const maxBytes = 5 * 1024 * 1024;
/** Refused files to remember; the conversations that have them move on. */
const maxRefused = 1000;

/** Models of which it is known: a refusal then is about the picture. */
const seeing =
  /gpt-4o|gpt-4\.1|gpt-5|\bo[134]\b|claude|gemini|gemma-?3|llama-?4|pixtral|llava|vision|[-_\d]vl\b/iu;
/** What services say of a picture that they could take if it were another. */
const fault =
  /(?:invalid|valid|unsupported) image|image (?:data|format|type|size|is too)|too large|exceeds|decode|corrupt/iu;
/** What services say who were sent a picture and cannot take any. */
const blindness =
  /(?:not|n't|no) (?:\w+ )*(?:support|accept|multimodal|vision)|unsupported|unknown variant|expected (?:a |`)?(?:string|text)|must be a string|invalid type: (?:sequence|array)|mmproj/iu;

export const withVision = (
  provider: WarmProvider,
  { sees, loadImage, logger }: VisionOptions,
): WarmProvider => {
  const blind = new Set<string>();
  const refused = new Set<string>();

  const learn = ({ model, pictures = new Map() }: ModelRequest, error: ProviderError): void => {
    const { message } = error;
    const isBlind =
      sees === undefined && !seeing.test(model) && !fault.test(message) && blindness.test(message);
    logger.warn({ provider: provider.name, model, isBlind, error }, 'pictures were refused');
    if (isBlind) blind.add(model);
    else for (const { path } of pictures.keys()) remember(refused, path);
  };

  const prepare = (request: ModelRequest): Promise<ModelRequest> =>
    withPictures(request, async (file) => {
      if (sees === false || loadImage === undefined || blind.has(request.model))
        return 'this model cannot see pictures';
      if (refused.has(file.path)) return 'the model service refused it';
      if (file.sizeBytes > maxBytes) return 'left out, because it is larger than 5 MB';
      const bytes = await loadImage(file, { maxBytes });
      if (bytes === undefined) return 'no longer there';
      const mimeType = sniffImage(bytes);
      if (mimeType === undefined) return 'left out, because models cannot read this kind of picture';
      return { mimeType, base64: Buffer.from(bytes).toString('base64') };
    });

  async function* streamWithPictures(
    request: ModelRequest,
    options: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const prepared = await prepare(request);
    const error = yield* withoutRefusal(provider, prepared, options);
    if (error === undefined) return;
    learn(prepared, error);
    yield* provider.stream(await prepare(request), options);
  }

  return {
    name: provider.name,
    isDemo: provider.isDemo,
    warmUp: () => provider.warmUp(),
    // Most requests have none, and need nothing in between.
    stream: (request, options) =>
      request.messages.some(hasImages)
        ? streamWithPictures(request, options)
        : provider.stream(request, options),
  };
};

const hasImages = (message: ModelMessage): boolean =>
  message.role !== 'assistant' && message.images !== undefined;

/** Passes one call's events on; a refusal that may be due to its pictures is kept back and returned. */
async function* withoutRefusal(
  provider: WarmProvider,
  request: ModelRequest,
  options: { readonly signal: AbortSignal },
): AsyncGenerator<ModelEvent, ProviderError | undefined, undefined> {
  const hasPictures = request.pictures !== undefined && request.pictures.size > 0;
  for await (const event of provider.stream(request, options)) {
    if (hasPictures && event.type === 'error' && event.error.code === 'bad-request') return event.error;
    yield event;
  }
  return undefined;
}

/** `load` gives the picture, or why there is none. */
const withPictures = async (
  request: ModelRequest,
  load: (file: StoredFile) => Promise<Picture | string>,
): Promise<ModelRequest> => {
  const pictures = new Map<StoredFile, Picture>();
  const messages: ModelMessage[] = [];
  for (const message of request.messages) {
    if (message.role === 'assistant' || message.images === undefined) {
      messages.push(message);
      continue;
    }
    let { text } = message;
    for (const file of message.images) {
      const loaded = await load(file);
      if (typeof loaded === 'string') text += `\n${imageNote(file.fileName, loaded)}`;
      else pictures.set(file, loaded);
    }
    messages.push({ ...message, text, images: message.images.filter((file) => pictures.has(file)) });
  }
  return { ...request, messages, pictures };
};

const remember = (paths: Set<string>, path: string): void => {
  paths.add(path);
  const [oldest] = paths;
  if (paths.size > maxRefused && oldest !== undefined) paths.delete(oldest);
};
