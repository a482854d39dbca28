import { platform } from '@freehold/designs/platform'
import { rebac } from '@freehold/designs/rebac'
import { listed } from '../output/listed.ts'
import { accountQuestion } from '../sample/account.ts'
import { sampleQuestion } from '../sample/organisation.ts'
import { quoted } from './places.ts'

export interface Welcome {
  /** `http://127.0.0.1:3000` */
  readonly address: string
  /** The names of the served designs, at least one. */
  readonly designs: readonly string[]
  /** The table of the one served design, if it is not the design's own. */
  readonly table: string | undefined
  /** The place of the data, in words. */
  readonly where: string
  /** A newly created key, which is shown only once. */
  readonly key?: string | undefined
  /** The file that has a newly created key instead, where stdout is no terminal. */
  readonly keyFile?: string | undefined
  /** The samples of rebac and of platform were loaded. */
  readonly hasSample: boolean
  readonly hasSampleAccount?: boolean
  /** The prefix by which a command in another terminal uses the same data: an assignment and a space, or nothing. */
  readonly assignment: string
}

/** A curl command that works as printed. Without a new key, it takes the key from the environment. */
function curlLine({ address, key, keyFile }: Welcome, path: string, body?: object): string {
  const fromElsewhere = keyFile === undefined ? '$FREEHOLD_API_KEY' : `$(cat ${quoted(keyFile)})`
  const authorization = key === undefined ? `"Authorization: Bearer ${fromElsewhere}"` : `'Authorization: Bearer ${key}'`
  const sent = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  return `curl -s ${address}${path} -H ${authorization}${sent}`
}

interface Next {
  readonly invitation: string
  readonly curl: string
  /** Commands for another terminal, without their prefix. */
  readonly commands: readonly string[]
}

function nextOfAccount(welcome: Welcome, named: string): Next {
  const { user, account, workstream } = accountQuestion
  return {
    invitation: welcome.hasSampleAccount === true ? 'May Ada edit the dashboard in the research of Acme?' : 'Ask a question:',
    curl: curlLine(welcome, '/v1/platform/can', accountQuestion),
    commands: [
      `npx freehold why platform '${JSON.stringify(accountQuestion)}'${named}`,
      `npx freehold what platform '${JSON.stringify({ user, account, workstream })}'${named}`,
    ],
  }
}

/** The suggested next step: a question if the sample's design is served, otherwise the list of designs. */
function nextOf(welcome: Welcome): Next {
  const { designs, hasSample, table } = welcome
  const named = table === undefined ? '' : ` --table ${table}`
  const [first = ''] = designs
  if (!designs.includes(rebac.name)) {
    if (designs.includes(platform.name)) return nextOfAccount(welcome, named)
    return {
      invitation: 'List the designs and their questions:',
      curl: curlLine(welcome, '/v1'),
      commands: [`npx freehold export ${first}${named}`],
    }
  }
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

/** The key is printed once, inside the command that works as printed, so that a screen has few copies. */
function keptWords({ key, keyFile }: Welcome): string {
  const another = '`freehold serve --new-key` creates another.'
  if (keyFile !== undefined) return `\nThe first API key is in ${keyFile}, which only you can read: this output may be a log. ${another}\n`
  if (key === undefined) return ''
  return `\nThe key after Bearer is shown only once: keep it, for example in FREEHOLD_API_KEY. ${another}\n`
}

/** The text of a started server: what it serves, and the next step. */
export function welcomeText(welcome: Welcome): string {
  const { address, designs, where, hasSample, hasSampleAccount, assignment } = welcome
  const sample = [
    hasSample ? 'The rebac table was empty, so a small sample organisation was loaded: Ada, Ben and Cleo in New York and London.\n' : '',
    hasSampleAccount === true ? 'The platform table was empty, so a small sample account was loaded: Acme, with Ada, Ben and Cleo.\n' : '',
  ].join('')
  const { invitation, curl, commands } = nextOf(welcome)
  return `Freehold answers at ${address}, ${where}. Ctrl-C ends it.
It serves ${listed(designs)}.
${sample}
${invitation}
  ${curl}
${keptWords(welcome)}
In another terminal:
${commands.map((command) => `  ${assignment}${command}\n`).join('')}`
}
