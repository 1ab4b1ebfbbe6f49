/**
 * `{}{"a":1}` and `{"a":1}{"a":2}` come from services that lose track of their calls: the first is a call whose
 * arguments began with an empty stand-in, the second two calls in one. Anything else comes back as it is.
 */
export const splitGluedObjects = (text: string): readonly string[] => {
  const objects = cutObjects(text);
  if (objects.length < 2 || !objects.every(isObjectText)) return [text];
  const meant = objects.filter((object) => !/^\{\s*\}$/u.test(object));
  const distinct = [...new Set(meant)];
  return distinct.length === 0 ? ['{}'] : distinct;
};

/** Cuts behind every closing brace that is not inside another pair or a string. */
const cutObjects = (text: string): readonly string[] => {
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gsu)) {
    if (token === '{') depth += 1;
    if (token !== '}') continue;
    depth -= 1;
    if (depth !== 0) continue;
    objects.push(text.slice(start, index + 1).trim());
    start = index + 1;
  }
  const rest = text.slice(start).trim();
  return rest === '' ? objects : [...objects, rest];
};

const isObjectText = (text: string): boolean => {
  try {
    JSON.parse(text);
    return text.startsWith('{');
  } catch {
    return false;
  }
};
