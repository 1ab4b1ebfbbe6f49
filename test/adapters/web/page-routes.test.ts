import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Page, startPage } from './support.js';

const folder = fileURLToPath(new URL('../../../src/adapters/web/page/', import.meta.url));
const files = readdirSync(folder);
const html = readFileSync(`${folder}/index.html`, 'utf8');

let page: Page;
beforeAll(async () => {
  page = await startPage();
});
afterAll(() => page.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, page.url), { headers });

describe('the page', () => {
  test('is served under a policy that runs nothing but its own files', async () => {
    const response = await get('/');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/unsafe|data:|https?:|\*/u);
    expect(await response.text()).toBe(html);
  });

  test('has nothing in it that the policy forbids', () => {
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/iu);
    const scripts = files
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
    expect(scripts.join('\n')).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/u,
    );
  });

  test('asks other hosts for nothing', () => {
    const all = files.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n');
    expect(
      all.match(/https?:\/\/[^\s'"`]+/gu)?.filter((url) => !url.startsWith('http://www.w3.org/')),
    ).toEqual([]);
  });

  test('finds every file that it names', async () => {
    const named = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/gu)].map((match) => match[1] ?? '');
    const imported = files
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/from '\.\/([^']+)'/gu)])
      .map((match) => `/assets/${match[1]}`);
    const paths = [...new Set([...named, ...imported])];
    expect(paths).toContain('/assets/markdown-it.js');
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  test('is not sent again while it has not changed', async () => {
    const first = await get('/assets/app.js');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await get('/assets/app.js', { 'if-none-match': etag })).status).toBe(304);
  });

  test.each(['..%2findex.ts', '..%2f..%2f..%2f..%2fpackage.json', 'app.ts', '.env', 'none.js', 'app.js%00'])(
    'gives nothing else away as /assets/%s',
    async (name) => {
      expect((await get(`/assets/${name}`)).status).toBe(404);
    },
  );
});
