import { FreeholdError } from '@freehold/table'
import { silenceNodeVersionWarning } from '@freehold/table/runtime'
import type { Environment } from '../environment.ts'

/** A shorter secret could be guessed. */
const length_min = 16

const refused = (message: string) => new FreeholdError('InvalidInput', message, { issues: [] })

/** Reads a secret of AWS Secrets Manager. */
export type ReadSecret = (arn: string) => Promise<string | undefined>

/** The client is loaded where a secret is read: it is no part of any other start. */
const bySecretsManager: ReadSecret = async (SecretId) => {
  const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager')
  silenceNodeVersionWarning()
  const client = new SecretsManagerClient({ maxAttempts: 3, requestHandler: { connectionTimeout: 2_000, requestTimeout: 3_000 } })
  try {
    return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString
  } finally {
    client.destroy()
  }
}

/**
 * The secret that seals cursors: `FREEHOLD_SECRET`, or that of Secrets Manager which `FREEHOLD_SECRET_ARN` names. All instances of a function need the same.
 * @throws InvalidInput if there is none, or both, or it is too short
 */
export async function cursorSecret(
  { FREEHOLD_SECRET: given, FREEHOLD_SECRET_ARN: arn }: Pick<Environment, 'FREEHOLD_SECRET' | 'FREEHOLD_SECRET_ARN'>,
  read: ReadSecret = bySecretsManager,
): Promise<Buffer> {
  if ((given === undefined) === (arn === undefined))
    throw refused('The function needs a secret for its cursors: set either FREEHOLD_SECRET_ARN or FREEHOLD_SECRET.')
  const secret = given ?? (await read(arn ?? '')) ?? ''
  if (secret.length < length_min) throw refused(`The secret for cursors has fewer than ${length_min} characters: set a longer one.`)
  return Buffer.from(secret)
}
