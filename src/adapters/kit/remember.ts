/** Puts an entry behind all others; where there are more than `most`, the one that was put there longest ago goes. */
export const remember = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void => {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > most && oldest.done !== true) map.delete(oldest.value);
};
