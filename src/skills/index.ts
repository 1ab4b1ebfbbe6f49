export { createSkillEditor } from './editor.js';
export { createSkillLibrary } from './library.js';
