import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../errors.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

interface SignedRequest {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** AWS refuses a request whose clock differs by more (Reference of AWS IAM, "Troubleshoot Signature Version 4 signing"). */
const skew_ms_max = 15 * 60 * 1000

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8}\/[^/,]+\/dynamodb\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/**
 * Checks a signature of version 4 (Reference of AWS IAM, "Create a signed AWS API request").
 * @throws ServiceError in AWS's words for a request that is not signed with these credentials
 */
export function checkSignature({ method, url, headers, body }: SignedRequest, credentials: Credentials, now_ms: number): void {
  const { authorization, 'x-amz-date': date } = headers
  if (authorization === undefined || typeof date !== 'string') {
    throw new ServiceError('MissingAuthenticationTokenException', 'Request is missing Authentication Token')
  }
  const [, accessKeyId = '', scope = '', signedHeaders = '', signature = ''] = form.exec(authorization) ?? []
  if (scope === '') {
    throw new ServiceError(
      'IncompleteSignatureException',
      'Authorization header requires Credential, SignedHeaders and Signature of AWS4-HMAC-SHA256.',
    )
  }
  if (accessKeyId !== credentials.accessKeyId) {
    throw new ServiceError('UnrecognizedClientException', 'The security token included in the request is invalid.')
  }
  const names = signedHeaders.split(';')
  const [path = '/', query = ''] = url.split('?')
  const canonicalHeaders = names
    .map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('')
  const canonical = [method, path, query, canonicalHeaders, signedHeaders, sha256(body)].join('\n')
  const signed = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${credentials.secretAccessKey}`)
  const isSigned =
    names.includes('host') && names.includes('x-amz-date') && timingSafeEqual(hmac(key, signed), Buffer.from(signature, 'hex'))
  if (!isSigned) {
    throw new ServiceError(
      'InvalidSignatureException',
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    )
  }
  if (Math.abs(instantOf(date) - now_ms) <= skew_ms_max) return
  throw new ServiceError('InvalidSignatureException', `Signature expired: ${date} is too far from the time of this computer.`)
}

/** `20260102T030405Z` in milliseconds. */
function instantOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest()
}
