import type { Grant, GrantStore } from '../../core/grant.js';
import { copyOf } from './copy.js';

export const createMemoryGrants = (): GrantStore => {
  const kept = new Map<string, Grant>();
  return {
    add: async (grant) => {
      kept.set(grant.id, copyOf(grant));
    },
    all: async () => [...kept.values()],
    remove: async (id) => kept.delete(id),
  };
};
