const MEGABYTE = 1024 * 1024;

/** A size as people write it, e.g. `12.5 MB`. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < MEGABYTE) return `${Math.round(bytes / 1024)} KB`;
  const megabytes = bytes / MEGABYTE;
  return `${megabytes < 10 ? Math.round(megabytes * 10) / 10 : Math.round(megabytes)} MB`;
};
