import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'

/** Credentials as the AWS SDK provides them. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Temporary credentials have one. */
  readonly sessionToken?: string | undefined
}

/** A service of AWS with a protocol of JSON. */
export interface JsonService {
  /** Its name in signatures. */
  readonly name: string
  /** Stands before each operation. */
  readonly target: string
  readonly contentType: string
}

export const dynamoService: JsonService = { name: 'dynamodb', target: 'DynamoDB_20120810', contentType: 'application/x-amz-json-1.0' }

/** The parts that all requests to one endpoint have in common. */
export interface Signing {
  /** DynamoDB unless given. */
  readonly service?: JsonService
  /** The value of the header `host`. */
  readonly host: string
  /** The path of the endpoint's URL. */
  readonly path: string
  readonly region: string
}

/** A key that is valid for one day, in one region. */
interface DailyKey {
  readonly day: string
  readonly secret: string
  readonly key: KeyObject
}

/** Enough for the day before and the day after midnight, of the credentials before and after a rotation. */
const dailyKeysMax = 4

/**
 * Signs a request of the JSON protocol, DynamoDB's unless said otherwise: a POST with a body and without a query (AWS Signature Version 4,
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). It gives the headers that the AWS SDK's
 * signer gives, which a test holds. It derives the key once a day (docs/decisions/0011-requests-are-ours.md).
 */
export class Signer {
  readonly #host: string
  readonly #path: string
  readonly #region: string
  readonly #service: JsonService
  /** The text of the last second. */
  #time: { readonly second: number; readonly text: string } | undefined
  /** The newest first. */
  #keys: readonly DailyKey[] = []

  constructor({ host, path, region, service = dynamoService }: Signing) {
    this.#host = host
    this.#path = canonicalPath(path)
    this.#region = region
    this.#service = service
  }

  /**
   * Returns all headers of a request.
   * @param operation the header `x-amz-target`
   * @param at the time of the signature, by DynamoDB's clock
   */
  sign(credentials: Credentials, operation: string, body: string, at: Date): Record<string, string> {
    const { accessKeyId, secretAccessKey, sessionToken } = checked(credentials)
    const { name: service, contentType } = this.#service
    const time = this.#timeText(at)
    const day = time.slice(0, 8)
    const bodyHash = hash('sha256', body)
    const hasToken = sessionToken !== undefined && sessionToken !== ''
    const names = `content-type;host;x-amz-content-sha256;x-amz-date;${hasToken ? 'x-amz-security-token;' : ''}x-amz-target`
    const token = hasToken ? `x-amz-security-token:${canonicalValue(sessionToken)}\n` : ''
    const timed = `content-type:${contentType}\nhost:${this.#host}\nx-amz-content-sha256:${bodyHash}\nx-amz-date:${time}\n`
    const canonical = `POST\n${this.#path}\n\n${timed}${token}x-amz-target:${operation}\n\n${names}\n${bodyHash}`
    const scope = `${day}/${this.#region}/${service}/aws4_request`
    const key = this.#keyOf(day, secretAccessKey)
    const signature = createHmac('sha256', key)
      .update(`AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', canonical)}`)
      .digest('hex')
    const headers = {
      host: this.#host,
      'content-type': contentType,
      'x-amz-target': operation,
      'x-amz-date': time,
      'x-amz-content-sha256': bodyHash,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    }
    return hasToken ? { 'x-amz-security-token': sessionToken, ...headers } : headers
  }

  #timeText(at: Date): string {
    const second = Math.floor(at.getTime() / 1000)
    if (this.#time?.second !== second) this.#time = { second, text: at.toISOString().replace(/[-:]|\.\d{3}/g, '') }
    return this.#time.text
  }

  #keyOf(day: string, secret: string): KeyObject {
    const known = this.#keys.find((each) => each.day === day && each.secret === secret)
    if (known !== undefined) return known.key
    const parts = [day, this.#region, this.#service.name, 'aws4_request']
    const bytes = parts.reduce<string | Buffer>((key, part) => createHmac('sha256', key).update(part).digest(), `AWS4${secret}`)
    const key = createSecretKey(Buffer.from(bytes))
    this.#keys = [{ day, secret, key }, ...this.#keys].slice(0, dailyKeysMax)
    return key
  }
}

/** A provider written in JavaScript may return anything. The error quotes none of it. */
function checked(credentials: Credentials): Credentials {
  const { accessKeyId, secretAccessKey } = (credentials ?? {}) as Partial<Credentials>
  if (typeof accessKeyId === 'string' && typeof secretAccessKey === 'string') return credentials
  throw Object.assign(new Error('The credentials have no access key.'), { name: 'CredentialsProviderError' })
}

/** The path of a URL is encoded already. SigV4 encodes it once more, and takes slashes in a row as one. */
function canonicalPath(path: string): string {
  const escaped = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  const encoded = (segment: string) => encodeURIComponent(segment).replace(/[!'()*]/g, escaped)
  return path.replace(/\/+/g, '/').split('/').map(encoded).join('/')
}

/** A value is signed without the spaces around it, and with one space for several. */
function canonicalValue(value: string): string {
  return value
    .replace(/[\r\n]/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '')
}
