import { join } from 'node:path'
import { here, ranPython } from './tools.js'

/**
 * Requests that Schemathesis makes of a document, good ones and bad ones, whose answers it holds to the document. It has one worker: with two of them it
 * breaks off now and then by a fault of Python's.
 * @param examples how many it makes for each operation
 * @returns what was tested, what it tells, and whether it found nothing
 */
export async function testedBySchemathesis(design, file, { url, key }, examples) {
  const options = ['--max-examples', String(examples), '--workers', '1', '--seed', '1', '--no-color']
  const config = join(here, 'schemathesis.toml')
  const header = `Authorization: Bearer ${key}`
  const { stdout, stderr, code } = await ranPython(
    'schemathesis',
    '--config-file',
    config,
    'run',
    file,
    '--url',
    url,
    ...options,
    '--header',
    header,
  )
  const [summary = ''] = /\d+ generated.*/.exec(stdout) ?? []
  return [`${design}: Schemathesis, ${examples} examples an operation`, code === 0 ? summary : `${stdout}${stderr}`, code === 0]
}
