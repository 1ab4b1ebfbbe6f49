/** Reads a `multipart/form-data` body that is already in memory. */

export interface MultipartPart {
  readonly name: string;
  /** Present on file parts. */
  readonly fileName?: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Throws a SyntaxError for a body that is no multipart body of that boundary. */
export function parseMultipart(body: Buffer, contentType: string): MultipartPart[] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) throw new SyntaxError('no boundary');
  const delimiter = Buffer.from(`--${name}`);
  const parts: MultipartPart[] = [];
  let at = body.indexOf(delimiter);
  if (at < 0) throw new SyntaxError('the boundary never comes');
  for (;;) {
    at += delimiter.length;
    if (body.toString('latin1', at, at + 2) === '--') return parts;
    const headEnd = body.indexOf('\r\n\r\n', at);
    const next = headEnd < 0 ? -1 : body.indexOf(delimiter, headEnd + 4);
    if (next < 0) throw new SyntaxError('a part without an end');
    parts.push(readPart(body.toString('utf8', at, headEnd), body.subarray(headEnd + 4, next - 2)));
    at = next;
  }
}

function readPart(head: string, bytes: Buffer): MultipartPart {
  const name = dispositionValue(head, 'name');
  if (name === undefined) throw new SyntaxError('a part without a name');
  const fileName = dispositionValue(head, 'filename');
  const mimeType = /^content-type:\s*([^\r\n;]+)/im.exec(head)?.[1]?.trim() ?? 'application/octet-stream';
  return fileName === undefined ? { name, mimeType, bytes } : { name, fileName, mimeType, bytes };
}

/** Quoted or not: both forms are in use. */
function dispositionValue(head: string, name: string): string | undefined {
  const match = new RegExp(`[;\\s]${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(head);
  return match?.[1]?.replace(/\\(.)/g, '$1') ?? match?.[2];
}
