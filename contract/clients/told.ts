interface Answered {
  readonly data?: unknown
  readonly error?: unknown
  readonly response?: { readonly status: number }
}

const [, , baseUrl = '', key = ''] = process.argv
export const how = { baseUrl, headers: { Authorization: `Bearer ${key}` } }

/** Makes the calls in turn. Each may take a part of the answer before. */
// biome-ignore lint/suspicious/noExplicitAny: a part of any type may stand anywhere in a body.
export async function tell(calls: readonly ((last: any) => Promise<Answered>)[]): Promise<void> {
  let last: unknown
  for (const call of calls) {
    const { data, error, response } = await call(last)
    last = data ?? error
    process.stdout.write(`${JSON.stringify({ status: response?.status, raw: last, typed: last })}\n`)
  }
}
