import * as z from 'zod';
import type { Tool, ToolOutcome } from '../core/tool.js';

const maxTimeoutSeconds = 600;

const languages = {
  python: { program: 'python3', fileName: 'main.py', name: 'Python' },
  javascript: { program: 'node', fileName: 'main.mjs', name: 'JavaScript' },
} as const;

const input = z.object({
  language: z.enum(['python', 'javascript']).describe('python: Python 3. javascript: Node, as an ES module.'),
  code: z
    .string()
    .min(1)
    .max(200_000)
    .refine((code) => code.trim() !== '', { message: 'expected a program' })
    .describe('The whole program. It prints what you want to know.'),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(maxTimeoutSeconds)
    .optional()
    .describe(`Seconds after which it is ended. Default 180, most ${maxTimeoutSeconds}.`),
});

type ExecuteCodeInput = z.infer<typeof input>;

export const executeCode: Tool<ExecuteCodeInput> = {
  name: 'execute_code',
  title: 'Run code',
  description:
    'Runs a Python or JavaScript program in a folder of its own, which is gone afterwards, for calculations and for working on ' +
    'data. Files of the workspace are reached by their absolute paths. Returns what it prints; of long outputs beginning and ' +
    'end, and where all of it is. Everything it started is ended with it.',
  category: 'system',
  input,
  mode: 'exclusive',
  summarise: ({ language, code }) => `${languages[language].name}, ${code.split('\n').length} lines`,
  forbids: ({ language, code }, { services, session }) =>
    services.floor.argv([languages[language].program, language === 'python' ? '-c' : '-e', code], {
      cwd: services.commands.folder(session),
    }),
  // A program does what it likes: who allowed one did not see the next.
  grantOf: () => undefined,
  present: ({ language, code }) => `${languages[language].name}:\n${code}`,
  async execute({ language, code, timeout }, context): Promise<ToolOutcome> {
    const { program, fileName } = languages[language];
    const { ending, exitCode, output } = await context.services.commands.run(
      {
        run: [program],
        script: { fileName, text: code },
        ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
      },
      context,
      { signal: context.signal },
    );
    const text = output.text.trimEnd() || '(no output)';
    if (ending === 'exited' && exitCode === 0) return { text, isError: false };
    const how =
      ending === 'exited'
        ? `exit code ${exitCode}`
        : ending === 'timed-out'
          ? 'timed out and was ended'
          : 'ended by a signal';
    return { text: `${text}\n[${how}]`, isError: true };
  },
};
