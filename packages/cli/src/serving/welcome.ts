import { sampleQuestion } from '../sample/organisation.ts'

export interface Welcome {
  /** `http://127.0.0.1:3000` */
  readonly address: string
  /** Where the data is, in words. */
  readonly where: string
  /** The key, if it was made just now: it is shown this once. */
  readonly key: string | undefined
  readonly hasSample: boolean
  /** What a command in another terminal needs to reach the same data: an assignment and a space, or nothing. */
  readonly assignment: string
}

/** The command line that asks the sample question. It works as it is printed: without a new key, with the key in the environment. */
export function curlLine({ address, key }: Pick<Welcome, 'address' | 'key'>): string {
  const authorization = key === undefined ? '"Authorization: Bearer $FREEHOLD_API_KEY"' : `'Authorization: Bearer ${key}'`
  const body = JSON.stringify(sampleQuestion)
  return `curl -s ${address}/v1/rebac/can -H ${authorization} -H 'Content-Type: application/json' -d '${body}'`
}

/** What to try next. */
export function welcomeText(welcome: Welcome): string {
  const { address, where, key, hasSample, assignment } = welcome
  const sample = hasSample
    ? 'The table was empty, so a small sample organisation was loaded: Ada, Ben and Cleo in New York and London.\n'
    : ''
  // Once, inside the line that works as it stands: the fewer copies on a screen, the better.
  const kept =
    key === undefined
      ? ''
      : '\nThe key after Bearer is shown this once: keep it, in FREEHOLD_API_KEY say. `freehold serve --new-key` makes another.\n'
  const { user, location } = sampleQuestion
  const ask = hasSample ? 'May Ada open the dashboard in New York?' : 'Ask a question:'
  return `Freehold answers at ${address}, ${where}. Ctrl-C ends it.
${sample}
${ask}
  ${curlLine(welcome)}
${kept}
In another terminal:
  ${assignment}npx freehold why rebac '${JSON.stringify(sampleQuestion)}'
  ${assignment}npx freehold what rebac '${JSON.stringify({ user, location })}'
`
}
