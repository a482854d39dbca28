import type { ClientOptions } from './client-options.ts'
import { connectionBy } from './connection.ts'
import { SignedSender } from './signed-sender.ts'

export interface KmsSender {
  /** Throws the error of KMS by its name, as the AWS SDK does. */
  send(operation: 'Encrypt' | 'Decrypt', input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
  close(): void
}

/** Asks AWS KMS with the credentials, the signature and the clock of DynamoDB's requests. */
export function kmsSender(options: Required<Pick<ClientOptions, 'endpoint' | 'region'>>): KmsSender {
  const sender = new SignedSender(connectionBy({ ...options, maxSockets: 1 }), {
    name: 'kms',
    target: 'TrentService',
    contentType: 'application/x-amz-json-1.1',
  })
  return {
    // Operations of another service go the same way: their input and output are JSON, too.
    send: (operation, input) => sender.send(operation as never, input as never) as Promise<Readonly<Record<string, unknown>>>,
    close: () => sender.close(),
  }
}
