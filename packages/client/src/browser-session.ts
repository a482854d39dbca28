import { doneOf, objectOf } from './answers.ts'
import { callerOf, type ServiceOptions, type Values } from './caller.ts'

/** The session of a browser at the console. Its text lies in a cookie that no script reads. */
export interface BrowserSession {
  /** Changes a key, or the secret of a link, for a session. */
  open(by: { readonly key: string } | { readonly link: string }): Promise<Values>
  /** What the session may do, and when it ends. Throws `ProblemError` with status 401 if there is none. */
  read(): Promise<Values>
  close(): Promise<void>
}

/** The session of this browser. */
export function browserSessionOf(options: Omit<ServiceOptions, 'key'>): BrowserSession {
  const { call } = callerOf({ ...options, key: null })
  const at = { path: '/console/session', isBeside: true } as const
  return {
    open: async (body) => objectOf(await call({ ...at, method: 'POST', body, isRepeatable: false, isWrite: true })),
    read: async () => objectOf(await call({ ...at, method: 'GET', isRepeatable: true, isWrite: false })),
    close: async () => {
      doneOf(await call({ ...at, method: 'DELETE', isRepeatable: false, isWrite: true }))
    },
  }
}
