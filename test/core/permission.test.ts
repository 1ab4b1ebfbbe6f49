import { describe, expect, test } from 'vitest';
import {
  type Category,
  categories,
  decidePermission,
  defaultMatrix,
  foreignCategory,
  type PermissionLevel,
  type PermissionQuestion,
  permissionLevels,
  raiseCategory,
  withMatrixChanges,
} from '../../src/core/permission.js';
import { tools } from '../../src/tools/index.js';

const aQuestion = (changes: Partial<PermissionQuestion> = {}): PermissionQuestion => ({
  policy: { level: 'auto', matrix: defaultMatrix },
  category: 'system',
  neverAsks: false,
  isForbidden: false,
  isGranted: false,
  canAsk: true,
  ...changes,
});

const at = (level: PermissionLevel) => ({ level, matrix: defaultMatrix });

/** The public table, written once more by hand. */
const table = `
safe        confirm confirm confirm confirm
auto        allow   allow   confirm confirm
full-access allow   allow   allow   allow`;

const cells = table
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [level, ...decisions] = line.split(/\s+/u);
    return decisions.map((decision, index) => ({ level, category: categories[index], decision }));
  }) as readonly { level: PermissionLevel; category: Category; decision: 'allow' | 'confirm' }[];

describe('the table', () => {
  test('has a cell for every level and category', () => {
    expect(cells).toHaveLength(permissionLevels.length * categories.length);
  });

  test.each(cells)('$level × $category: $decision', ({ level, category, decision }) => {
    const question = aQuestion({ policy: at(level), category });
    expect(decidePermission(question).decision).toBe(decision);
    const alone = decidePermission({ ...question, canAsk: false });
    const expected = decision === 'allow' ? 'allow' : 'deny';
    expect(alone.decision).toBe(expected);
    expect(decidePermission({ ...question, canAsk: false, isGranted: true }).decision).toBe('allow');
    expect(decidePermission({ ...question, isForbidden: true, isGranted: true, neverAsks: true })).toEqual({
      decision: 'deny',
      because: 'floor',
    });
  });

  const perTool = permissionLevels.flatMap((level) =>
    tools.flatMap((tool) => categories.map((category) => ({ level, tool, category }))),
  );

  test.each(perTool)('$level × $tool.name raised to $category', ({ level, tool, category }) => {
    const raised = raiseCategory(tool.category, category);
    expect(categories.indexOf(raised)).toBe(
      Math.max(categories.indexOf(tool.category), categories.indexOf(category)),
    );
    const verdict = decidePermission(
      aQuestion({ policy: at(level), category: raised, neverAsks: tool.neverAsks === true }),
    );
    const cell = cells.find((one) => one.level === level && one.category === raised);
    expect(verdict.decision).toBe(tool.neverAsks === true ? 'allow' : cell?.decision);
  });

  test('only tools that change nothing outside the conversation never ask', () => {
    const names = tools.filter(({ neverAsks }) => neverAsks === true).map(({ name }) => name);
    const allowed = ['todo', 'clarify', 'skills_list', 'skill_view'];
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

describe('a decision', () => {
  test('denies where the matrix has no cell, also at full access', () => {
    const policy = { level: 'full-access', matrix: { 'full-access': {} } } as never;
    expect(decidePermission(aQuestion({ policy }))).toEqual({ decision: 'deny', because: 'level' });
  });

  test('of a denying cell is lifted by no grant', () => {
    const matrix = withMatrixChanges(defaultMatrix, { auto: { system: 'deny' } });
    const question = aQuestion({ policy: { level: 'auto', matrix }, isGranted: true });
    expect(decidePermission(question)).toEqual({ decision: 'deny', because: 'level' });
  });

  test('takes other cells from the table as it was', () => {
    const matrix = withMatrixChanges(defaultMatrix, { auto: { write: 'confirm' }, safe: undefined });
    expect(matrix.auto).toEqual({ read: 'auto', write: 'confirm', system: 'confirm', finance: 'confirm' });
    expect(matrix.safe).toEqual(defaultMatrix.safe);
  });
});

describe('a tool that others wrote', () => {
  test.each(categories)('is system unless the operator says %s', (category) => {
    expect(foreignCategory(category)).toBe(category);
    expect(foreignCategory(undefined, category)).toBe(category === 'finance' ? 'finance' : 'system');
  });

  test('may call itself weightier than the operator says, and no lighter', () => {
    expect(foreignCategory('read', 'finance')).toBe('finance');
    expect(foreignCategory('write', 'read')).toBe('write');
  });
});
