import { ownIssuer } from './own-issuer.ts'

// What `test/docs` and `test/packages` ask of the guide's route: as a function, and of Next.js itself.

/** The files that the guide shows, and the lines of its commands. */
export function followed(text: string) {
  const lines = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
  return {
    files: [...text.matchAll(/^`([\w.[\]/]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name = '', code = '']) => ({ name, text: code })),
    // As a shell takes them apart.
    commands: lines.map((line) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')),
  }
}

export const ada = '01HA0000000000000000000001'
const welcome = { status: 200, body: { page: 'reports', location: 'NYC001', user: ada } }
const nobody = { status: 401, body: { code: 'Denied', status: 401, title: 'Sign in first.' } }
const denied = { status: 403, body: { code: 'Denied', status: 403, title: 'Not allowed.' } }

/** @param entry the guide's issuer, in whose place is one of the test's own */
export async function askedBy(entry: object) {
  const { issuer, audience, signIn, close } = await ownIssuer()
  /** Requests, and the answers that the guide promises. Their tokens live for a minute. */
  const requests = async () => {
    const token = await signIn('ada')
    const [header, claims = '', signature] = token.split('.')
    const others = JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'eve' })
    const changed = [header, Buffer.from(others).toString('base64url'), signature].join('.')
    const path = 'NYC001/reports'
    return [
      { who: 'nobody', path, answer: { ...nobody, challenge: 'Bearer' } },
      { who: 'a user, whose account is linked', path, token, answer: welcome },
      { who: 'the same user later', path, token: await signIn('ada'), answer: welcome },
      { who: 'the bearer of a changed token', path, token: changed, answer: { ...nobody, challenge: 'Bearer error="invalid_token"' } },
      { who: 'a person whom the design does not know', path, token: await signIn('eve'), answer: denied },
      { who: 'a user, for another page', path: 'NYC001/payroll', token, answer: denied },
      { who: 'a user, for another location', path: 'LON001/reports', token, answer: denied },
    ]
  }
  return { issuers: JSON.stringify([{ ...entry, issuer, audience }]), requests, close }
}

/** What a test compares with the promise. */
export async function told(response: Response) {
  const challenge = response.headers.get('www-authenticate')
  return { status: response.status, body: await response.json(), ...(challenge === null ? {} : { challenge }) }
}
