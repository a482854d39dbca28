import { createHash, createHmac } from 'node:crypto'
import { type Dispatcher, Pool } from 'undici'

const accessKeyId = 'local'
const secretAccessKey = 'local'
const region = 'us-east-1'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** A request as it is written by hand for just one endpoint: signed, sent over undici, its answer parsed. Nothing is checked. */
export function bareRequests(endpoint: string): (operation: string, input: object) => Promise<unknown> {
  const pool = new Pool(endpoint, { connections: 50, pipelining: 1 })
  const { host } = new URL(endpoint)
  const keys = new Map<string, Buffer>()

  const keyOf = (day: string): Buffer => {
    const known = keys.get(day)
    if (known !== undefined) return known
    const key = [day, region, 'dynamodb', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`) as Buffer
    keys.set(day, key)
    return key
  }

  return (operation, input) => {
    const body = JSON.stringify(input)
    const target = `DynamoDB_20120810.${operation}`
    const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '')
    const day = time.slice(0, 8)
    const names = 'host;x-amz-date;x-amz-target'
    const canonical = `POST\n/\n\nhost:${host}\nx-amz-date:${time}\nx-amz-target:${target}\n\n${names}\n${sha256(body)}`
    const scope = `${day}/${region}/dynamodb/aws4_request`
    const signature = hmac(keyOf(day), `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex')
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
    const headers = { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-date': time, 'x-amz-target': target, authorization }
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let status = 0
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => {},
        onResponseStart: (_, statusCode) => {
          status = statusCode
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk)
        },
        onResponseEnd: () => {
          const text = Buffer.concat(chunks).toString()
          if (status === 200) resolve(JSON.parse(text))
          else reject(new Error(text))
        },
        onResponseError: (_, error) => reject(error),
      }
      pool.dispatch({ path: '/', method: 'POST', headers, body }, handler)
    })
  }
}
