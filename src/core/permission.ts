/** What a tool can do to the world; later ones weigh more. */
export const categories = ['read', 'write', 'system', 'finance'] as const;
export type Category = (typeof categories)[number];

export const permissionLevels = ['safe', 'auto', 'full-access'] as const;
export type PermissionLevel = (typeof permissionLevels)[number];

export type CellDecision = 'auto' | 'confirm' | 'deny';

export type PermissionMatrix = Readonly<Record<PermissionLevel, Readonly<Record<Category, CellDecision>>>>;

/** Cells that differ; what is absent stays. */
export type MatrixChanges = Partial<
  Record<PermissionLevel, Partial<Record<Category, CellDecision>> | undefined>
>;

/** The contract's table ("Permissions"). */
export const defaultMatrix: PermissionMatrix = {
  safe: { read: 'confirm', write: 'confirm', system: 'confirm', finance: 'confirm' },
  auto: { read: 'auto', write: 'auto', system: 'confirm', finance: 'confirm' },
  'full-access': { read: 'auto', write: 'auto', system: 'auto', finance: 'auto' },
};

export const withMatrixChanges = (matrix: PermissionMatrix, changes: MatrixChanges): PermissionMatrix => ({
  safe: { ...matrix.safe, ...changes.safe },
  auto: { ...matrix.auto, ...changes.auto },
  'full-access': { ...matrix['full-access'], ...changes['full-access'] },
});

/** The weightier of two categories: arguments may raise a tool's category and never lower it. */
export const raiseCategory = (declared: Category, byArguments: Category): Category =>
  categories.indexOf(byArguments) > categories.indexOf(declared) ? byArguments : declared;

/**
 * The category of a tool that others wrote (a server's, a plugin's): what the operator says, else system; what it says
 * of itself may raise that and never lower it.
 */
export const foreignCategory = (byOperator: Category | undefined, byItself?: Category): Category => {
  const category = byOperator ?? 'system';
  return byItself === undefined ? category : raiseCategory(category, byItself);
};

/** What holds for one caller. */
export interface PermissionPolicy {
  readonly level: PermissionLevel;
  readonly matrix: PermissionMatrix;
}

/** What is known of a call when it is decided about. */
export interface PermissionQuestion {
  readonly policy: PermissionPolicy;
  readonly category: Category;
  /** Of the few tools that need no permission whatever the level. */
  readonly neverAsks: boolean;
  /** Nobody may allow it. */
  readonly isForbidden: boolean;
  /** Somebody allowed calls like it before. */
  readonly isGranted: boolean;
  /** Somebody is there who could be asked. */
  readonly canAsk: boolean;
}

export type PermissionVerdict =
  | { readonly decision: 'allow'; readonly because: 'never-asks' | 'level' | 'grant' }
  | { readonly decision: 'confirm' }
  | { readonly decision: 'deny'; readonly because: 'floor' | 'level' | 'nobody-to-ask' };

/** The floor first, which nothing lifts; a cell that denies, which no grant lifts. Cells that are absent deny. Pure. */
export const decidePermission = (question: PermissionQuestion): PermissionVerdict => {
  const { policy, category, neverAsks, isForbidden, isGranted, canAsk } = question;
  if (isForbidden) return { decision: 'deny', because: 'floor' };
  if (neverAsks) return { decision: 'allow', because: 'never-asks' };
  switch (policy.matrix[policy.level]?.[category] ?? 'deny') {
    case 'auto':
      return { decision: 'allow', because: 'level' };
    case 'deny':
      return { decision: 'deny', because: 'level' };
    case 'confirm':
      if (isGranted) return { decision: 'allow', because: 'grant' };
      return canAsk ? { decision: 'confirm' } : { decision: 'deny', because: 'nobody-to-ask' };
  }
};
