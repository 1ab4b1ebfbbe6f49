import type {
  ApprovalAnswer,
  ApprovalContext,
  ApprovalRequest,
  ApprovalService,
} from '../../src/core/approval.js';
import { defaultMatrix, type PermissionPolicy } from '../../src/core/permission.js';

export interface TestPermissions extends ApprovalService {
  /** What was asked, in order. */
  readonly asked: readonly (ApprovalRequest & { readonly context: ApprovalContext })[];
}

interface PermissionSketch extends Partial<PermissionPolicy> {
  readonly canAsk?: boolean;
  /** Tools whose every call is granted. */
  readonly granted?: readonly string[];
  readonly answer?: (
    request: ApprovalRequest,
    signal: AbortSignal,
  ) => ApprovalAnswer | Promise<ApprovalAnswer>;
}

/** The contract's table at level auto; whoever is asked allows. */
export const somePermissions = ({
  level = 'auto',
  matrix = defaultMatrix,
  canAsk = true,
  granted = [],
  answer = () => ({ outcome: 'allowed' }),
}: PermissionSketch = {}): TestPermissions => {
  const asked: (ApprovalRequest & { readonly context: ApprovalContext })[] = [];
  return {
    asked,
    policy: () => ({ level, matrix, canAsk }),
    isGranted: ({ tool }) => granted.includes(tool),
    ask: async (request, context, { signal }) => {
      asked.push({ ...request, context });
      return answer(request, signal);
    },
  };
};
