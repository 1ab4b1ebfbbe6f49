/** What a tool can do to the world; later ones weigh more. */
export const categories = ['read', 'write', 'system', 'finance'] as const;
export type Category = (typeof categories)[number];

export const permissionLevels = ['safe', 'auto', 'full-access'] as const;
export type PermissionLevel = (typeof permissionLevels)[number];

export type PermissionDecision = 'auto' | 'confirm' | 'deny';

export type PermissionMatrix = Readonly<
  Record<PermissionLevel, Readonly<Record<Category, PermissionDecision>>>
>;

/** The contract's table ("Permissions"). */
export const defaultMatrix: PermissionMatrix = {
  safe: { read: 'confirm', write: 'confirm', system: 'confirm', finance: 'confirm' },
  auto: { read: 'auto', write: 'auto', system: 'confirm', finance: 'confirm' },
  'full-access': { read: 'auto', write: 'auto', system: 'auto', finance: 'auto' },
};

/** Cells of `changes` replace those of the contract's table. */
export const withMatrixChanges = (
  changes: Partial<Record<PermissionLevel, Partial<Record<Category, PermissionDecision>>>>,
): PermissionMatrix => ({
  safe: { ...defaultMatrix.safe, ...changes.safe },
  auto: { ...defaultMatrix.auto, ...changes.auto },
  'full-access': { ...defaultMatrix['full-access'], ...changes['full-access'] },
});

/** The weightier of two categories: arguments may raise a tool's category and never lower it. */
export const raiseCategory = (declared: Category, byArguments: Category): Category =>
  categories.indexOf(byArguments) > categories.indexOf(declared) ? byArguments : declared;

/** Absent cells mean deny. */
export const decidePermission = (
  matrix: PermissionMatrix,
  level: PermissionLevel,
  category: Category,
): PermissionDecision => matrix[level]?.[category] ?? 'deny';
