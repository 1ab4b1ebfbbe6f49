import type { UserMessage } from '../core/provider.js';

/** A stored summary as the model reads it. */
export const toSummary = (text: string): UserMessage => ({ role: 'user', text, isSummary: true });
