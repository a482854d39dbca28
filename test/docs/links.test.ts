import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { docs, pageAt, pages, root } from './pages.ts'

/** The name by which a heading is linked to: as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

function anchorsOf(text: string): Set<string> {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  return new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? '')))
}

function targetsOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '').filter((target) => !/^[a-z]+:/.test(target))
}

const links = pages().flatMap(({ path, text }) => targetsOf(text).map((target) => ({ path, target })))

test.each(links)('$path links to $target, which is there', ({ path, target }) => {
  const [file = '', anchor] = target.split('#')
  const at = file === '' ? path : posix.join(posix.dirname(path), file)
  expect(existsSync(join(root, at))).toBe(true)
  if (anchor !== undefined) expect([...anchorsOf(pageAt(at).text)]).toContain(anchor)
})

test('every page of docs can be reached from the start page', () => {
  const reached = new Set(['docs/README.md'])
  for (const path of reached) {
    for (const target of targetsOf(pageAt(path).text)) {
      const [file = ''] = target.split('#')
      const at = posix.join(posix.dirname(path), file)
      if (at.endsWith('.md') && existsSync(join(root, at)) && statSync(join(root, at)).isFile()) reached.add(at)
    }
  }
  expect(docs().filter(({ path }) => !reached.has(path))).toEqual([])
})
