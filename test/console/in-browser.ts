import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from './open-browser.ts'

type Served = Parameters<typeof openBrowser>[0] & { close(): Promise<void> }

/** One service and one browser for the tests of a file. They are there in hooks that follow, and in tests. */
export function inBrowser<S extends Served>(serve: () => Promise<S>) {
  // Filled before the first test.
  const opened = {} as Awaited<ReturnType<typeof openBrowser>> & { served: S }
  beforeAll(async () => {
    const served = await serve()
    Object.assign(opened, await openBrowser(served), { served })
  })
  afterAll(async () => {
    await opened.close()
    await opened.served.close()
  })
  return opened
}
