import ts from 'typescript';

export interface FunctionSpan {
  readonly name: string;
  readonly lines: number;
}

/** Every function of a source text with the number of lines from its first to its last. */
export function functionSpans(text: string): readonly FunctionSpan[] {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const spans: FunctionSpan[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineAt(node.getEnd()) - lineAt(node.getStart()) + 1;
      spans.push({ name: nameOf(node), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return spans;
}

/** Its own name, or that of the variable or property it is given to. */
function nameOf(node: ts.SignatureDeclaration): string {
  const { name, parent } = node;
  if (name !== undefined) return name.getText();
  const holder =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : undefined;
  return (
    holder?.getText() ?? (ts.isConstructorDeclaration(node) ? 'constructor' : 'a function without a name')
  );
}
