import { ranPython } from './tools.js'

/**
 * Checks of Schemathesis that are left out, and why.
 * - A valid request may be refused for what the document says in words, such as a cursor that was never given: a test of ours reads the words (`test/openapi`).
 * - The document of a design tells each access pattern once, by POST: its GET is a method that this document does not have.
 */
const leftOut = ['positive_data_acceptance', 'unsupported_method', 'allow_header_conformance']

/**
 * Requests that Schemathesis makes of a document, good ones and bad ones, whose answers it holds to the document. It has one worker: with two of them it
 * breaks off now and then by a fault of Python's.
 * @param examples how many it makes for each operation
 * @returns what was tested, what it tells, and whether it found nothing
 */
export async function testedBySchemathesis(design, file, { url, key }, examples) {
  const options = ['--max-examples', String(examples), '--workers', '1', '--seed', '1', '--no-color', '--exclude-checks', leftOut.join(',')]
  const header = `Authorization: Bearer ${key}`
  const { stdout, stderr, code } = await ranPython('schemathesis', 'run', file, '--url', url, ...options, '--header', header)
  const [summary = ''] = /\d+ generated.*/.exec(stdout) ?? []
  return [`${design}: Schemathesis, ${examples} examples an operation`, code === 0 ? summary : `${stdout}${stderr}`, code === 0]
}
