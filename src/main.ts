#!/usr/bin/env node
/** The process edge: arguments, environment, streams, signals and exit code. Nothing else knows of `process`. */
import { relative } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import type { Edge, Output } from './cli/edge.js';
import { openLineEditor } from './cli/line-editor.js';
import { readLine } from './cli/read-line.js';
import { runCommandLine } from './cli/run.js';

const exitCodes = { SIGTERM: 143, SIGINT: 130 } as const;

const outputOf = (stream: NodeJS.WriteStream): Output => {
  // A reader that has gone (`… | head`) is no failure.
  stream.on('error', () => {});
  return { isTerminal: stream.isTTY === true, write: (text) => void stream.write(text) };
};

const readStdin = async (): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

const watchStop = (): AbortSignal => {
  const stop = new AbortController();
  const onSignal = (signal: 'SIGTERM' | 'SIGINT'): void => {
    if (stop.signal.aborted) process.exit(exitCodes[signal]);
    stop.abort();
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return stop.signal;
};

/** A link named `hermes` starts this file under that name. */
const toProgram = (script: string): string =>
  /\bhermes$/u.test(script) ? 'hermes' : `node ${relative(process.cwd(), script)}`;

const edge: Edge = {
  environment: process.env,
  version: packageJson.version,
  program: toProgram(process.argv[1] ?? ''),
  pid: process.pid,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  stdin: {
    // Looked at late: opening standard input costs a start some milliseconds.
    get isTerminal() {
      return process.stdin.isTTY === true;
    },
    readAll: readStdin,
    readLine: () => readLine(process.stdin),
    edit: (events) => openLineEditor(process.stdin, process.stdout, events),
  },
  watchStop,
  onReload: (callback) => void process.on('SIGHUP', callback),
  // Covers rejections too. What was going on is unknown, so the process ends; everything that counts is stored.
  onCrash: (callback) =>
    void process.on('uncaughtException', (error) => {
      callback(error);
      process.exit(1);
    }),
};

const code = await runCommandLine(process.argv.slice(2), edge);
// Whatever a library left open must not keep the process; what was written must leave first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
