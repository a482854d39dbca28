import { rebac } from '@freehold/designs/rebac'
import { listed } from '../output/listed.ts'
import { sampleQuestion } from '../sample/organisation.ts'

export interface Welcome {
  /** `http://127.0.0.1:3000` */
  readonly address: string
  /** Names of the designs that are served: one at least. */
  readonly designs: readonly string[]
  /** The table of the one design that is served, if it is not its own. */
  readonly table: string | undefined
  /** Where the data is, in words. */
  readonly where: string
  /** The key, if it was made just now: it is shown this once. */
  readonly key: string | undefined
  readonly hasSample: boolean
  /** What a command in another terminal needs to reach the same data: an assignment and a space, or nothing. */
  readonly assignment: string
}

/** A command line of curl. It works as it is printed: without a new key, with the key in the environment. */
function curlLine({ address, key }: Welcome, path: string, body?: object): string {
  const authorization = key === undefined ? '"Authorization: Bearer $FREEHOLD_API_KEY"' : `'Authorization: Bearer ${key}'`
  const sent = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  return `curl -s ${address}${path} -H ${authorization}${sent}`
}

interface Next {
  readonly invitation: string
  readonly curl: string
  /** Commands for another terminal, without what stands before them. */
  readonly commands: readonly string[]
}

/** What to try: a question where the sample's design is served, else what there is. */
function nextOf(welcome: Welcome): Next {
  const { designs, hasSample, table } = welcome
  const named = table === undefined ? '' : ` --table ${table}`
  const [first = ''] = designs
  if (!designs.includes(rebac.name))
    return { invitation: 'See what there is to ask:', curl: curlLine(welcome, '/v1'), commands: [`npx freehold export ${first}${named}`] }
  const { user, location } = sampleQuestion
  return {
    invitation: hasSample ? 'May Ada open the dashboard in New York?' : 'Ask a question:',
    curl: curlLine(welcome, '/v1/rebac/can', sampleQuestion),
    commands: [
      `npx freehold why rebac '${JSON.stringify(sampleQuestion)}'${named}`,
      `npx freehold what rebac '${JSON.stringify({ user, location })}'${named}`,
    ],
  }
}

/** What is served, and what to try next. */
export function welcomeText(welcome: Welcome): string {
  const { address, designs, where, key, hasSample, assignment } = welcome
  const sample = hasSample
    ? 'The rebac table was empty, so a small sample organisation was loaded: Ada, Ben and Cleo in New York and London.\n'
    : ''
  // Once, inside the line that works as it stands: the fewer copies on a screen, the better.
  const kept =
    key === undefined
      ? ''
      : '\nThe key after Bearer is shown this once: keep it, in FREEHOLD_API_KEY say. `freehold serve --new-key` makes another.\n'
  const { invitation, curl, commands } = nextOf(welcome)
  return `Freehold answers at ${address}, ${where}. Ctrl-C ends it.
It serves ${listed(designs)}.
${sample}
${invitation}
  ${curl}
${kept}
In another terminal:
${commands.map((command) => `  ${assignment}${command}\n`).join('')}`
}
