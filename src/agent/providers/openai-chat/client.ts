/** The only import of the library as code, and itself imported when the first call needs it: it is large. */
export { OpenAI } from 'openai';
