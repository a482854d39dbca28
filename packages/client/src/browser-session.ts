import { doneOf, listIn, objectOf } from './answers.ts'
import { callerOf, type ServiceOptions, type Values } from './caller.ts'
import type { CallOptions } from './client.ts'

/** The session of a browser at the console. Its text lies in a cookie that no script reads. */
export interface BrowserSession {
  /** Changes a key, or the secret of a link, for a session. */
  open(by: { readonly key: string } | { readonly link: string }): Promise<Values>
  /** What the session may do, and when it ends. Throws `ProblemError` with status 401 if there is none. */
  read(): Promise<Values>
  close(): Promise<void>
  /** How people sign in here, each with its `label`, and the address `to` go to, from the console's own. */
  ways(how?: CallOptions): Promise<readonly Values[]>
  /** The sessions of the person who is signed in. */
  all(how?: CallOptions): Promise<readonly Values[]>
  /** Ends another session of this person. */
  end(sessionId: string): Promise<void>
}

/** The session of this browser. */
export function browserSessionOf(options: Omit<ServiceOptions, 'key'>): BrowserSession {
  const { call } = callerOf({ ...options, key: null })
  const at = { path: '/console/session', isBeside: true } as const
  const listed = async (name: string, path: string, { signal }: CallOptions = {}) =>
    listIn(await call({ ...at, path, method: 'GET', isRepeatable: true, isWrite: false, signal }), name)
  return {
    open: async (body) => objectOf(await call({ ...at, method: 'POST', body, isRepeatable: false, isWrite: true })),
    read: async () => objectOf(await call({ ...at, method: 'GET', isRepeatable: true, isWrite: false })),
    close: async () => {
      doneOf(await call({ ...at, method: 'DELETE', isRepeatable: false, isWrite: true }))
    },
    ways: (how) => listed('ways', '/console/sign-in', how),
    all: (how) => listed('sessions', '/console/sessions', how),
    end: async (sessionId) => {
      const path = `/console/sessions?${new URLSearchParams({ sessionId })}`
      doneOf(await call({ ...at, path, method: 'DELETE', isRepeatable: false, isWrite: true }))
    },
  }
}
