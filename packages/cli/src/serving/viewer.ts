import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The package that has Scalar's script for browsers as one file, and few others beneath it. Nothing else of it is loaded. */
const packageName = '@scalar/fastify-api-reference'

/** Reads the viewer of `/docs`. Its file is not among the exports of its package, so it is found beside them. */
export async function readViewer(): Promise<string> {
  const main = createRequire(import.meta.url).resolve(packageName)
  return readFile(join(dirname(main), 'js', 'standalone.js'), 'utf8')
}
