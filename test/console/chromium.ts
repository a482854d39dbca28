import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian's Chromium on the path. Undefined where there is none: the tests in a browser are then left out, and their name says so. */
export const chromium = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser'].map((name) => join(folder, name)))
  .find((path) => existsSync(path))
