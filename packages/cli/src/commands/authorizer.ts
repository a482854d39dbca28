import { readFile } from 'node:fs/promises'
import { createAuthorizer, type LambdaAnswer, lambdaAuthorizer, readAuthorizerMap } from '@freehold/authorizer'
import { decideAuthorization } from '@freehold/designs/authorization'
import { localEngine } from '@freehold/designs/cedar'
import { readablePath } from '../input/input-file.ts'
import { readJsonObject } from '../input/json-object.ts'
import { readPolicyFolder } from '../input/policy-folder.ts'
import { moduleNamed } from '../naming/named.ts'
import { type TableOptions, withTable } from '../opening/open-table.ts'
import { type Exit, exit, jsonLine, printJson, type Shell } from '../shell.ts'

export interface AuthorizerOptions extends TableOptions {
  readonly map: string
  readonly policies?: string
  readonly httpAnswers: 'simple' | 'iam'
}

const isAllowed = (answer: LambdaAnswer): boolean =>
  'policyDocument' in answer ? answer.policyDocument.Statement[0].Effect === 'Allow' : answer.isAuthorized

/** Answers an event of a gateway as the deployed authorizer does, and exits with 1 if it is denied. The log goes to stderr, as Lambda's goes to CloudWatch. */
export async function authorizer(shell: Shell, [, event = '']: readonly string[], options: AuthorizerOptions): Promise<Exit> {
  const module = moduleNamed(shell, 'authorization')
  const textOf = async (path: string) => readFile(await readablePath(shell, path), 'utf8')
  const map = readAuthorizerMap(await textOf(options.map))
  const policies = await localEngine(await readPolicyFolder(shell, options.policies ?? shell.settings.folders.policies ?? 'policies'))
  const given = await readJsonObject(shell, event === '-' ? event : await textOf(event), 'The event')
  return withTable(shell, { module, name: 'freehold authorizer', isReading: true }, options, async ({ runtime }) => {
    const decider = decideAuthorization(policies)(runtime)
    const secret = shell.settings.tokenSecret
    const log = (line: object) => shell.err(jsonLine(line))
    const handler = lambdaAuthorizer(createAuthorizer({ map, decider, policies, secret, log, now: shell.now }), options)
    try {
      const answer = await handler(given)
      await printJson(shell, answer)
      return isAllowed(answer) ? exit.yes : exit.no
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'Unauthorized') throw error
      // As Lambda tells an error to the gateway.
      await printJson(shell, { errorMessage: error.message, errorType: error.name })
      return exit.no
    }
  })
}
